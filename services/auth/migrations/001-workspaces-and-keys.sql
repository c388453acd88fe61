create table workspaces (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  capabilities text[] not null,
  suspended boolean not null default false,
  created_at timestamptz(3) not null default now()
);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces,
  label text not null,
  prefix text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);

create index on api_keys (workspace_id, created_at);

-- One row for each pepper under which a key was met. While a new pepper is rolled out, gateways that know it and
-- gateways that do not look under different digests, and a revocation must reach both.
create table api_key_digests (
  digest text primary key,
  key_id uuid not null references api_keys,
  pepper_version integer not null
);

create index on api_key_digests (key_id);
