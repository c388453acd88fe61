/** What Postgres and its programs print, in English whatever the machine speaks: it is read here. */
export const postgresEnvironment = { ...process.env, LC_ALL: 'C.UTF-8', LC_MESSAGES: 'C' }

/** The line with the reason in the output of Postgres or initdb. */
export const reasonIn = (output: string): string => {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it printed nothing'
  return reason.replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}
