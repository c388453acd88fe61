import { ServiceBroker } from 'moleculer'

export const createBroker = (nodeID) =>
  new ServiceBroker({
    nodeID,
    transporter: process.env.NATS_URL,
    serializer: 'JSON',
    logger: false,
    metrics: false,
    tracing: false,
  })
