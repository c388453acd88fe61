// Runs in a pod of the cluster, with the seeds of all users of NATS in /keys: each user tries what it may do and what it may not.
// Prints what should have been denied and was not, or the other way round, as JSON.
const home = '/opt/parlance'
const { probeNats } = await import(`${home}/libs/bus/dist/index.js`)
const { inboxPrefixOf, natsTrialOf, traffic } = await import(`${home}/cli/dist/nats/nats-permissions.js`)

const users = Object.keys(traffic)
const problems = []
let count = 0
for (const user of users) {
  const { tried, denied } = natsTrialOf(user)
  const options = {
    url: process.env.NATS_URL,
    name: `test ${user}`,
    credentials: { nkeySeedFile: `/keys/${user}.nk` },
    inboxPrefix: inboxPrefixOf(user),
  }
  const { refusals } = await probeNats(options, tried)
  const refused = new Set(
    refusals.map(({ reason, denied }) => (denied ? `${denied.operation} ${denied.subject}` : reason)),
  )
  const expected = new Set([
    ...denied.publish.map((subject) => `publish ${subject}`),
    ...denied.subscribe.map((subject) => `subscription ${subject}`),
  ])
  count += refused.size
  for (const one of expected) if (!refused.has(one)) problems.push(`${user} is not denied: ${one}`)
  for (const one of refused) if (!expected.has(one)) problems.push(`${user} is denied: ${one}`)
}
console.log(JSON.stringify({ users: users.length, denied: count, problems }))
