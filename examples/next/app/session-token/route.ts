import { createParlance, ParlanceError } from '@parlance/server'

const parlance = createParlance({ url: process.env.PARLANCE_URL!, apiKey: process.env.PARLANCE_API_KEY! })

/** A real page authenticates its user first: a conversation costs credit. */
export const POST = async () => {
  const headers = { 'cache-control': 'no-store' }
  try {
    const { token } = await parlance.createSessionToken(process.env.AGENT_ID!)
    return new Response(token, { headers })
  } catch (error) {
    if (error instanceof ParlanceError) return new Response(error.message, { status: 502, headers })
    throw error
  }
}
