-- With which people sign in in place of a password. The private half never leaves their devices.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  name text,
  public_key text not null,
  person_id uuid not null references people on delete cascade,
  credential_id text not null unique,
  -- Up to 2^32. The driver reads a bigint as a text.
  counter double precision not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  created_at timestamptz,
  aaguid text
);

create index on passkeys (person_id);
