import { body } from './body.mjs'
import { createBroker } from './moleculer-broker.mjs'

const voices = body()
const broker = createBroker('catalog')
broker.createService({ name: 'catalog', actions: { list: () => voices } })
await broker.start()
