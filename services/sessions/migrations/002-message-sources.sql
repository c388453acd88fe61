-- Where what the agent said was found, as a JSON array; null where nothing was searched for. Bytes of its text.
alter table messages
  add column sources json,
  add column sources_bytes integer not null default 0;
