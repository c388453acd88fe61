-- Tokens that were used, each once: the primary key is the authority on that. A token is told by its SHA-256 alone.
create table consumed_tokens (
  workspace_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  kind text not null check (kind in ('session', 'stream')),
  -- Of the token. Some time after it the row may go: nobody takes the token any more.
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(3) not null default now(),
  primary key (token_hash)
);

create index consumed_tokens_expires_at on consumed_tokens (expires_at);

alter table consumed_tokens enable row level security;
alter table consumed_tokens force row level security;
create policy of_workspace on consumed_tokens using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
