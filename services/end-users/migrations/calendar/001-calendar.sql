-- What people have on, by the clock on the wall where it takes place: when that is in UTC follows from the time zone, whose
-- rules change. `timestamp` without a time zone is such a clock.
create table calendars (
  workspace_id uuid not null,
  end_user_id uuid not null,
  -- Part of the feed's signature. Drawn anew when the calendar is made again, so that a feed ends with its calendar.
  generation bytea not null check (length(generation) = 8),
  primary key (workspace_id, end_user_id)
);

create table events (
  workspace_id uuid not null,
  end_user_id uuid not null,
  id uuid not null default gen_random_uuid(),
  title text not null,
  starts_at timestamp(0) not null,
  duration_minutes integer not null,
  time_zone text not null,
  recurrence text,
  -- Occurrences that were cancelled or moved, by the time that the rule has for each.
  exceptions jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now(),
  primary key (workspace_id, end_user_id, id),
  foreign key (workspace_id, end_user_id) references calendars on delete cascade
);

create index events_starts_at on events (workspace_id, end_user_id, starts_at);

alter table calendars enable row level security;
alter table calendars force row level security;
create policy of_workspace on calendars using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table events enable row level security;
alter table events force row level security;
create policy of_workspace on events using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
