"""The service: the logs of a shelf over HTTP, with roles, streams and limits. It imports Starlette and uvicorn (extra `serve`)."""
