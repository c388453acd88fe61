import { z } from 'zod'
import { call, contract, duplex } from './contract.js'
import {
  fileEndSchema,
  filePartSchema,
  idSchema,
  orderSchema,
  pageRequestSchema,
  storableTextSchema,
  timestampSchema,
} from './primitives.js'

/** The maximum bytes of a knowledge file. */
export const maxKnowledgeFileBytes = 20 * 1024 * 1024

const knowledgeTypes = ['application/pdf', 'text/html', 'text/markdown', 'text/plain'] as const

/** A file that an Agent answers from. */
export const knowledgeFileSchema = z.object({
  id: idSchema,
  name: z.string(),
  content_type: z.enum(knowledgeTypes),
  size_bytes: z.int().nonnegative(),
  /** Only passages of `ready` files are found. */
  status: z.enum(['indexing', 'ready', 'failed']),
  /** Why it failed, in one sentence. */
  error: z.string().nullable(),
  /** How many passages it was cut into; 0 until it is ready. */
  passages: z.int().nonnegative(),
  created_at: timestampSchema,
})
export type KnowledgeFile = z.infer<typeof knowledgeFileSchema>

export const knowledgePageSchema = z.object({
  files: z.array(knowledgeFileSchema),
  next_cursor: z.string().nullable(),
})

/** A passage of a file. */
const knowledgePassageSchema = z.object({
  file_id: idSchema,
  /** The name of the file and, where it has pages, the page. */
  title: z.string(),
  text: z.string(),
})
export type KnowledgePassage = z.infer<typeof knowledgePassageSchema>

const agentAddress = { workspace_id: idSchema, agent_id: idSchema }
const fileAddress = { ...agentAddress, file_id: idSchema }

/** An Agent of another workspace is `agent_not_found`, like one that does not exist. */
export const knowledgeContract = contract({
  name: 'knowledge',
  version: '1.0.0',
  description: 'Files that Agents answer from',
  methods: {
    /**
     * Stores a file, which is indexed afterwards, and adds it to the draft of the Agent. The only output is the file. Fails with
     * `invalid_request` when the Agent has as many files as it may have.
     */
    addFile: duplex({
      request: z.strictObject({
        ...agentAddress,
        name: storableTextSchema.min(1).max(255),
        content_type: z.enum(knowledgeTypes),
      }),
      input: z.discriminatedUnion('kind', [filePartSchema, fileEndSchema]),
      output: knowledgeFileSchema,
      errors: ['agent_not_found', 'payload_too_large'],
    }),
    getFile: call({
      request: z.strictObject(fileAddress),
      reply: knowledgeFileSchema,
      errors: ['agent_not_found', 'not_found'],
    }),
    listFiles: call({
      request: z.strictObject({ ...agentAddress, ...pageRequestSchema.shape, order: orderSchema.default('desc') }),
      reply: knowledgePageSchema,
      errors: ['agent_not_found', 'invalid_request'],
    }),
    /** Also removes it from the draft. Conversations do not find it any more, whatever their revision names. */
    deleteFile: call({
      request: z.strictObject(fileAddress),
      reply: z.object({}),
      errors: ['agent_not_found', 'not_found'],
    }),
    /** The passages of these files that share the rarest words with the text, the best first. */
    search: call({
      request: z.strictObject({ ...agentAddress, file_ids: z.array(idSchema).max(100), text: z.string().max(10_000) }),
      reply: z.object({ passages: z.array(knowledgePassageSchema) }),
    }),
  },
})
