import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sessionCloseCodes, streamClientMessageSchema, streamCloseCodes, streamLimits } from '@parlance/contracts'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { createAsyncapiDocument } from '../src/openapi/asyncapi.js'
import { checkDocumentedMessage } from './documented.js'
import { generatedFrame } from './generated-message.js'

const document = JSON.parse(JSON.stringify(createAsyncapiDocument()))

test('the document is valid AsyncAPI 3', async () => {
  const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json')
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(await readFile(file, 'utf8')))
  validate(document)
  expect(validate.errors).toBe(null)
})

test('every reference of the document leads to something in it', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!)
  expect(references.length).toBeGreaterThan(50)
  for (const path of references) {
    const found = path.split('/').reduce((value, key) => value?.[key], document)
    expect([path, typeof found]).toEqual([path, 'object'])
  }
})

test('every close code and every limit is in the document', () => {
  const { streamSpeech, conversationSocket } = document.channels
  expect(Object.keys(streamSpeech['x-close-codes'])).toEqual(
    expect.arrayContaining(Object.values(streamCloseCodes).map(String)),
  )
  expect(Object.keys(conversationSocket['x-close-codes'])).toEqual(
    expect.arrayContaining(Object.values(sessionCloseCodes).map(String)),
  )
  expect(streamSpeech['x-limits']).toEqual(streamLimits)
})

test('the server and the document accept the same messages of streams', () => {
  const accepts = (check: () => unknown): boolean => {
    try {
      check()
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(generatedFrame, (frame) => {
      if (typeof frame !== 'string' || !accepts(() => JSON.parse(frame))) return
      const message = JSON.parse(frame)
      if (typeof message?.event !== 'string') return
      expect(accepts(() => checkDocumentedMessage('stream', 'FromClient', message))).toBe(
        accepts(() => streamClientMessageSchema.parse(message)),
      )
    }),
  )
})
