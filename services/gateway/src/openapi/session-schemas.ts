import { sessionMessageSchema, sessionRecordSchema, sessionSummarySchema } from '@parlance/contracts'
import { z } from 'zod'

export const sessionSummary = sessionSummarySchema.meta({ id: 'SessionSummary' })
export const sessionRecord = sessionRecordSchema.meta({ id: 'Session' })
export const sessionMessage = sessionMessageSchema.meta({ id: 'SessionMessage' })

export const answerSdp = z.object({ type: z.literal('answer'), sdp: z.string() })
