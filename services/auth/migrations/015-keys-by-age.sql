-- API keys are listed newest first, and the active ones are counted when one is created.
create index on api_keys (workspace_id, created_at desc, id desc) where person_id is null;
create index on api_keys (workspace_id) where person_id is null and revoked_at is null;
