import ApiGateway from 'moleculer-web'
import { createBroker } from './moleculer-broker.mjs'

const broker = createBroker('gateway')
broker.createService({
  name: 'api',
  mixins: [ApiGateway],
  settings: {
    port: Number(process.env.PORT),
    ip: '127.0.0.1',
    routes: [{ path: '/v1', mappingPolicy: 'restrict', bodyParsers: false, aliases: { 'GET voices': 'catalog.list' } }],
  },
})
await broker.start()
