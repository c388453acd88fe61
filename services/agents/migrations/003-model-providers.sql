-- Providers of language models that workspaces have added. The key is sealed by a master key that is not in the database.
create table model_providers (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('openai', 'anthropic', 'openai_compatible')),
  name text not null,
  url text,
  sealed_key text,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (workspace_id, id)
);

alter table model_providers enable row level security;
alter table model_providers force row level security;
create policy of_workspace on model_providers using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
