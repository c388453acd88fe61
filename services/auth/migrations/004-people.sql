-- The tables of the library that keeps accounts (better-auth, with its organization plugin). `workspaces` are its organizations.
alter table workspaces
  alter column capabilities set default '{}',
  add column slug text not null unique default gen_random_uuid()::text,
  add column logo text,
  add column metadata text;

create table people (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A person's sign-in in one browser.
create table people_sessions (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people on delete cascade,
  token text not null unique,
  ip_address text,
  user_agent text,
  active_workspace_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null,
  expires_at timestamptz not null
);

create index on people_sessions (person_id);

-- A way in which a person signs in: a password, or an identity at another provider.
create table people_accounts (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null
);

create index on people_accounts (person_id);

-- Links that were sent or printed and can be used once.
create table verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index on verifications (identifier);

create table members (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  person_id uuid not null references people on delete cascade,
  role text not null,
  created_at timestamptz not null,
  unique (workspace_id, person_id)
);

create index on members (person_id);

create table invitations (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  email text not null,
  role text,
  status text not null,
  inviter_id uuid not null references people on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

create index on invitations (workspace_id);
create index on invitations (email);

-- What a person does in a workspace counts for a key that has no value. The key is revoked with the membership, so that all
-- that ends with a key also ends with the membership.
alter table api_keys add column person_id uuid references people on delete set null;
create unique index on api_keys (workspace_id, person_id) where revoked_at is null;

create function revoke_key_of_member() returns trigger language plpgsql as $$
begin
  update api_keys set revoked_at = now()
  where workspace_id = old.workspace_id and person_id = old.person_id and revoked_at is null;
  return old;
end $$;

create trigger revoke_key_of_member after delete on members for each row execute function revoke_key_of_member();
