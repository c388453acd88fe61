// Runs in a pod of the cluster, with the seeds of all users of NATS in /keys: each user tries to publish and subscribe to the
// subjects of every contract, and to subscribe to the inboxes of the others. Prints what should have been denied and was not, or
// the other way round, as JSON.
const home = '/opt/parlance'
const { connectNatsBus } = await import(`${home}/libs/bus/dist/index.js`)
const { inboxPrefixOf, natsPermissionsOf, traffic } = await import(`${home}/cli/dist/nats/nats-permissions.js`)

const users = Object.keys(traffic)
const contracts = [...new Set(users.flatMap((user) => traffic[user].serves.map(({ name }) => `parlance.${name}.>`)))]

/** What NATS denies to a user that tries everything, and what it should deny. */
const tryAll = async (user) => {
  const denied = new Set()
  const bus = await connectNatsBus({
    url: process.env.NATS_URL,
    name: `test ${user}`,
    credentials: { nkeySeedFile: `/keys/${user}.nk` },
    inboxPrefix: inboxPrefixOf(user),
    onRefused: ({ denied: one }) => one && denied.add(`${one.operation} ${one.subject}`),
  })
  const own = natsPermissionsOf(user)
  const expected = new Set()
  for (const pattern of contracts) {
    const subject = pattern.replace('>', 'anything')
    if (!own.publish.includes(pattern)) expected.add(`publish ${subject}`)
    if (!own.subscribe.includes(pattern)) expected.add(`subscription ${subject}`)
    bus.publish(subject, Buffer.from('{}'))
    bus.subscribe(subject, () => {})
  }
  for (const other of users.filter((one) => one !== user)) {
    expected.add(`subscription ${inboxPrefixOf(other)}.>`)
    bus.subscribe(`${inboxPrefixOf(other)}.>`, () => {})
  }
  // The answer to a flush follows all refusals.
  await bus.flush()
  await bus.close()
  return { expected, denied }
}

const problems = []
let count = 0
for (const user of users) {
  const { expected, denied } = await tryAll(user)
  count += denied.size
  for (const one of expected) if (!denied.has(one)) problems.push(`${user} is not denied: ${one}`)
  for (const one of denied) if (!expected.has(one)) problems.push(`${user} is denied: ${one}`)
}
console.log(JSON.stringify({ users: users.length, denied: count, problems }))
