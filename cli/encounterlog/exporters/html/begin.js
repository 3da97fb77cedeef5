drawFrame();
go(beginning());
