-- Who reads these tables must not be able to use a link that was sent. Digests stand in place of what the links contain.

-- As the library digests: SHA-256 in base64url without padding.
update verifications
set identifier = translate(rtrim(encode(sha256(convert_to(identifier, 'UTF8')), 'base64'), '='), '+/', '-_');

-- Of the tokens of new passwords alone the value is the id of a person.
create or replace function drop_password_links() returns trigger language plpgsql as $$
begin
  delete from verifications where value = new.id::text;
  return null;
end
$$;

-- SHA-256 of the token in hex.
alter table invitations add column token_digest text;
update invitations set token_digest = encode(sha256(convert_to(token::text, 'UTF8')), 'hex');

-- The version before reads this column and nothing else does, so what is in it opens nothing. A later version removes it.
update invitations set token = gen_random_uuid();
