-- Credit of workspaces, in billionths of a credit. `accounts` and `leases` are sums of `transfers`, the ledger; both are
-- kept by the same transactions. Whoever changes anything of a workspace holds the lock on its account.
create table accounts (
  workspace_id uuid primary key,
  granted bigint not null default 0,
  available bigint not null default 0 check (available >= 0),
  -- What leases still have: neither spent nor returned.
  leased bigint not null default 0 check (leased >= 0),
  spent bigint not null default 0 check (spent >= 0),
  updated_at timestamptz(3) not null default now(),
  check (granted = available + leased + spent)
);

create table leases (
  workspace_id uuid not null references accounts,
  id uuid not null,
  state text not null default 'open' check (state in ('open', 'fenced', 'closed')),
  -- Both in all, since it was opened.
  leased bigint not null default 0 check (leased >= 0),
  settled bigint not null default 0 check (settled between 0 and leased),
  -- How often credit was added to it.
  blocks integer not null default 0,
  -- When somebody last looked after its counter.
  tended_at timestamptz not null default now(),
  -- Nothing gives from a fenced lease any more; what was held from it may still be settled until this time.
  closes_at timestamptz check ((closes_at is not null) = (state = 'fenced')),
  opened_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);

create unique index leases_open on leases (workspace_id) where state = 'open';
create index leases_tended_at on leases (tended_at) where state = 'open';
create index leases_closes_at on leases (closes_at) where state = 'fenced';

-- How each hold ended: once, which the primary key sees to. It is the record of what was used as well.
create table holds (
  workspace_id uuid not null,
  id uuid not null,
  lease_id uuid not null,
  amount bigint not null check (amount >= 0),
  resolution text not null check (resolution in ('settled', 'released', 'expired')),
  -- What was charged to the lease, what to the account once its lease had been closed, and what there was no credit for.
  paid_by_lease bigint not null check (paid_by_lease >= 0),
  paid_late bigint not null check (paid_late >= 0),
  uncovered bigint not null check (uncovered >= 0),
  kind text,
  key_id uuid,
  agent_id uuid,
  tts_characters bigint not null,
  session_seconds double precision not null,
  stt_seconds double precision not null,
  llm_input_tokens bigint not null,
  llm_output_tokens bigint not null,
  resolved_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, lease_id) references leases,
  check (paid_by_lease + paid_late + uncovered <= amount),
  check (resolution = 'settled' or paid_by_lease + paid_late + uncovered = 0)
);

create index holds_used on holds (workspace_id, resolved_at) where resolution = 'settled';

-- The ledger, by double entry: each row takes from one account and gives to another. Its event happens once.
create table transfers (
  workspace_id uuid not null references accounts,
  event_id text not null,
  from_account text not null,
  to_account text not null,
  amount bigint not null check (amount > 0),
  at timestamptz(3) not null default now(),
  primary key (workspace_id, event_id),
  check ((split_part(event_id, ':', 1), from_account, to_account) in (
    ('grant', 'granted', 'available'),
    ('lease', 'available', 'leased'),
    ('close', 'leased', 'available'),
    ('settle', 'leased', 'spent'),
    ('late', 'available', 'spent')
  ))
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or removed', tg_table_name;
end
$$;

create trigger immutable before update or delete or truncate on holds execute function refuse_change();
create trigger immutable before update or delete or truncate on transfers execute function refuse_change();

alter table accounts enable row level security;
alter table accounts force row level security;
create policy of_workspace on accounts using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table leases enable row level security;
alter table leases force row level security;
create policy of_workspace on leases using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table holds enable row level security;
alter table holds force row level security;
create policy of_workspace on holds using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table transfers enable row level security;
alter table transfers force row level security;
create policy of_workspace on transfers using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
