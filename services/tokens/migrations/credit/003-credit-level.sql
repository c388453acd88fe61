-- How much credit is left, as the webhooks of the workspace learned of it last.
alter table accounts add column level text not null default 'enough' check (level in ('enough', 'low', 'exhausted'));
