-- What the grants cannot say: a log only grows, and a revoked token stays revoked. Only the owner can disable a trigger.
create function refuse() returns trigger language plpgsql as $$
begin
    raise exception '%', tg_argv[0] using errcode = 'insufficient_privilege';
end
$$;

create trigger only_grows before update on log for each row
when (new.seq <= old.seq and (new.seq <> old.seq or new.hash <> old.hash))
execute function refuse('a log only grows');

create trigger stays_revoked before update on token for each row
when (old.revoked <> '' and new.revoked <> old.revoked)
execute function refuse('a revoked token stays revoked');
