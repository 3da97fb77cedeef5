-- Secrets of chains of dice, each by the link that the log has of it: whoever reads one knows all dice to come.
create table dice_secret (
    link text primary key,
    secret bytea not null
);
