-- Lists are in the order in which things were made, also where two were made within one millisecond.
alter table workspaces alter column created_at type timestamptz;
alter table api_keys alter column created_at type timestamptz;
