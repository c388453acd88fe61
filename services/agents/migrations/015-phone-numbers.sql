-- The telephone numbers that Agents answer. A number may be entered by several workspaces, since only the auth token of its account
-- shows whose it is.
create table phone_numbers (
  workspace_id uuid not null,
  id uuid not null,
  number text not null,
  agent_id uuid not null,
  provider text not null,
  account_sid text not null,
  sealed_auth_token text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (workspace_id, id),
  unique (workspace_id, number),
  foreign key (workspace_id, agent_id) references agents on delete cascade
);

create index on phone_numbers (number);
create index on phone_numbers (workspace_id, agent_id);

select protect('phone_numbers');
