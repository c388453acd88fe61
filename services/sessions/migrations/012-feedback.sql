-- What was thought of a conversation, by its user or by the workspace. The comment is null without one.
alter table sessions
  add column feedback_score smallint check (feedback_score in (-1, 1)),
  add column feedback_comment text,
  add column feedback_at timestamptz(3);
