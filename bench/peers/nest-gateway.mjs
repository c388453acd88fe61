import { Controller, Get, Inject, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ClientsModule, Transport } from '@nestjs/microservices'
import { decorateClass, decorateMethod } from './decorate.mjs'

class VoicesController {
  constructor(client) {
    this.client = client
  }
  list() {
    return this.client.send('voices.list', {})
  }
}
decorateMethod(VoicesController, 'list', Get('v1/voices'))
Inject('CATALOG')(VoicesController, undefined, 0)
decorateClass(VoicesController, Controller())

class AppModule {}
decorateClass(
  AppModule,
  Module({
    imports: [
      ClientsModule.register([
        { name: 'CATALOG', transport: Transport.NATS, options: { servers: [process.env.NATS_URL] } },
      ]),
    ],
    controllers: [VoicesController],
  }),
)

const app = await NestFactory.create(AppModule, { logger: false })
await app.listen(Number(process.env.PORT), '127.0.0.1')
