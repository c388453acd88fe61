import { errorTable } from '@parlance/contracts'

const introduction = `# Errors

Every error of the API is JSON with the same five keys. On a WebSocket it is a message, which may also have a \`context_id\`.

\`\`\`json
{ "event": "error", "request_id": "6f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d", "code": "voice_not_found", "retryable": false,
  "detail": "There is no such voice." }
\`\`\`

Match on \`code\`. \`detail\` is for people and may change. The log of the installation has the \`request_id\`. \`retryable\` means that the
same request may succeed later: a response with 429 or 503 has the seconds to wait in \`Retry-After\`. The libraries for
[Node](server-node.md) and [Python](server-python.md) wait and try again by themselves.

<!-- Written by \`npm run generate\` from the sources. -->
`

const row = ([code, { status, retryable, cause, remedy }]) =>
  `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${cause} | ${remedy} |`

/** The page with all error codes. */
export const errorCodes = () => ({
  'docs/errors.md': [
    introduction,
    '| code | status | retryable | cause | what to do |',
    '| --- | --- | --- | --- | --- |',
    ...Object.entries(errorTable).map(row),
    '',
  ].join('\n'),
})
