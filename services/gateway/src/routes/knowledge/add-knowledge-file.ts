import { sendFile } from '@parlance/bus'
import { type KnowledgeFile, knowledgeContract, maxKnowledgeFileBytes, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { hangUpSignal } from '../../http/connection-end.js'
import { sendResource } from '../../http/json-response.js'
import { formContentOf, readForm, type UploadedForm } from '../../http/multipart-form.js'
import { knowledgeFile } from '../../openapi/resource-schemas.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const form = z.strictObject({
  file: z.string().meta({
    format: 'binary',
    description: 'A PDF, HTML, Markdown or plain text file (UTF-8) of at most 20 MiB, with its name.',
  }),
})

const location = z.string().meta({ example: '/v1/agents/…/knowledge/…' })

const byEnding: Readonly<Record<string, KnowledgeFile['content_type']>> = {
  pdf: 'application/pdf',
  html: 'text/html',
  htm: 'text/html',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
}

/** By the content, else by the name, since browsers send no type for Markdown. Throws `unsupported_media_type`. */
const contentTypeOf = ({ file, fileName }: UploadedForm): KnowledgeFile['content_type'] => {
  if (Buffer.from(file.subarray(0, 5)).toString('latin1') === '%PDF-') return 'application/pdf'
  const type = byEnding[/\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '']
  if (type !== undefined && type !== 'application/pdf') return type
  throw new ServiceError(
    'unsupported_media_type',
    'file: must be a PDF, or its name must end with .html, .htm, .md, .markdown or .txt',
  )
}

export const addKnowledgeFile: Route = {
  method: 'post',
  path: '/v1/agents/:agentId/knowledge',
  authentication: apiKey('agents'),
  idempotency: { contentOf: formContentOf },
  operationId: 'addKnowledgeFile',
  tag: 'Agents',
  summary: 'Add a file that an Agent answers from',
  description:
    'The file is added to `knowledge_files` of the draft; publish the Agent to use it. It is indexed in the background: its ' +
    '`status` is `indexing`, then `ready` or `failed`. An Agent has at most 100 files.',
  request: {
    params: agentParameters,
    body: { required: true, content: { 'multipart/form-data': { schema: form } } },
  },
  responses: { 201: json('The file.', knowledgeFile, { location }) },
  calls: [knowledgeContract.methods.addFile],
  errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type', 'capacity_exhausted'],

  createHandler:
    ({ knowledge }) =>
    async (req, res) => {
      const address = agentAddressOf(req)
      const upload = await readForm(req)
      const [field] = Object.keys(upload.fields)
      if (field !== undefined) throw new ServiceError('invalid_request', `Unknown field: ${field}.`)
      if (upload.file.length === 0) throw new ServiceError('invalid_request', 'file: The file is empty.')
      if (upload.file.length > maxKnowledgeFileBytes) {
        throw new ServiceError('payload_too_large', 'file: must have at most 20 MiB.')
      }
      const content_type = contentTypeOf(upload)
      const name = upload.fileName.replaceAll('\0', '').slice(0, 255) || 'file.pdf'
      const signal = hangUpSignal(res)
      let added: KnowledgeFile | undefined
      const call = knowledge.addFile(
        { ...address, name, content_type },
        (file) => {
          added = file
        },
        { context: req.context },
      )
      const cancel = () => call.cancel(signal.reason)
      signal.addEventListener('abort', cancel, { once: true })
      const over = new AbortController()
      try {
        void sendFile(call, upload.file, over.signal).then(() => call.end())
        await call.ended
      } finally {
        over.abort()
        signal.removeEventListener('abort', cancel)
      }
      signal.throwIfAborted()
      const { agent_id } = address
      sendResource(req, res, 201, added!, ['location', `/v1/agents/${agent_id}/knowledge/${added!.id}`])
    },
}
