import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { MessagePattern, Transport } from '@nestjs/microservices'
import { body } from './body.mjs'
import { decorateClass, decorateMethod } from './decorate.mjs'

const voices = body()

class CatalogController {
  list() {
    return voices
  }
}
decorateMethod(CatalogController, 'list', MessagePattern('voices.list'))
decorateClass(CatalogController, Controller())

class AppModule {}
decorateClass(AppModule, Module({ controllers: [CatalogController] }))

const app = await NestFactory.createMicroservice(AppModule, {
  transport: Transport.NATS,
  options: { servers: [process.env.NATS_URL], queue: 'catalog' },
  logger: false,
})
await app.listen()
