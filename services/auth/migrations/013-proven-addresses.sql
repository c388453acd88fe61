-- The id of an invitation names it, and its inviter sees the id. The token is in the mail and in the link of an operator alone,
-- so a person who presents it has received one of them.
alter table invitations add column token uuid not null default gen_random_uuid();

-- Who proves the address of an account gets the account without the passkeys that others may have added before.
create function drop_unproven_passkeys() returns trigger language plpgsql as $$
begin
  delete from passkeys where person_id = new.id;
  return null;
end
$$;

create trigger drop_unproven_passkeys after update of email_verified on people for each row
  when (new.email_verified and not old.email_verified and new.email = old.email)
  execute function drop_unproven_passkeys();

-- A link for a new password proves the address for which it was made, so it ends with that address.
create function drop_password_links() returns trigger language plpgsql as $$
begin
  delete from verifications where value = new.id::text and identifier like 'reset-password:%';
  return null;
end
$$;

create trigger drop_password_links after update of email on people for each row
  when (new.email <> old.email) execute function drop_password_links();
