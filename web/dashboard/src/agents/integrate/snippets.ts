/** How a shell and a program read the key when the code does not have it. */
export const keyVariable = 'PARLANCE_API_KEY'

/** What the code for one Agent needs. */
interface SnippetFacts {
  readonly agentId: string
  /** The address of this installation, without a slash at its end. */
  readonly origin: string
  /** Whether pages may mint tokens without a backend. */
  readonly isPublic: boolean
}

interface Snippet {
  readonly title: string
  readonly description: string
  /** The command that installs what the code imports. */
  readonly install?: string
  readonly code: string
}

/** The endpoint of the snippets for Node and Python. */
const endpoint = '/api/voice-token'

/** What a page calls for a token. */
const tokenOf = ({ origin, agentId, isPublic }: SnippetFacts): string =>
  isPublic
    ? `async () => {
  const url = "${origin}/v1/public/agents/${agentId}/session-tokens"
  return (await (await fetch(url, { method: "POST" })).json()).token
}`
    : `async () => (await fetch("${endpoint}", { method: "POST" })).text()`

const tag = ({ origin, agentId, isPublic }: SnippetFacts): string => {
  const tokenUrl = isPublic ? '' : ` token-url="${endpoint}"`
  return `<script src="${origin}/widget.js" async></script>
<parlance-agent agent-id="${agentId}"${tokenUrl}></parlance-agent>`
}

const react = (facts: SnippetFacts): string => `import { Conversation, ParlanceProvider } from "@parlance/react"
import "@parlance/react/styles.css"

const sessionToken = ${tokenOf(facts)}

export const Talk = () => (
  <ParlanceProvider
    agentId="${facts.agentId}"
    apiOrigin="${facts.origin}"
    sessionToken={sessionToken}
  >
    <Conversation />
  </ParlanceProvider>
)`

const javaScript = (facts: SnippetFacts): string => `import { createParlanceClient } from "@parlance/client"

const sessionToken = ${tokenOf(facts)}

const client = createParlanceClient({
  agentId: "${facts.agentId}",
  apiOrigin: "${facts.origin}",
  sessionToken,
})
client.on("transcript", ({ role, text }) => console.log(role, text))
document.querySelector("#talk").onclick = () => client.connect({ inputMode: "automatic" })`

const node = ({ origin, agentId }: SnippetFacts): string => `import { createServer } from "node:http"
import { createParlance } from "@parlance/server"

const parlance = createParlance({ url: "${origin}", apiKey: process.env.${keyVariable} })

// POST ${endpoint}. Check here who asks.
createServer(async (request, response) => {
  const { token } = await parlance.createSessionToken("${agentId}")
  response.end(token)
}).listen(3000)`

const python = ({ origin, agentId }: SnippetFacts): string => `import os
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from parlance_client import Parlance

app = FastAPI()
parlance = Parlance("${origin}", os.environ["${keyVariable}"])

@app.post("${endpoint}", response_class=PlainTextResponse)
def voice_token() -> str:  # Check here who asks.
    return parlance.create_session_token("${agentId}")["token"]`

const curl = ({ origin, agentId }: SnippetFacts): string =>
  `curl -fsS -X POST ${origin}/v1/agents/${agentId}/session-tokens \\
  -H "Authorization: Bearer $${keyVariable}"`

/** The code that talks with an Agent, by its language. */
export const snippetsOf = (facts: SnippetFacts): Readonly<Record<string, Snippet>> => {
  const packageAt = (file: string) => `${facts.origin}/packages/${file}`
  return {
    tag: {
      title: 'Tag',
      description: facts.isPublic
        ? 'A button on any page of the origins below, without a backend.'
        : 'A button on any page. Your own endpoint at token-url answers with a token, as those for Node and Python do.',
      code: tag(facts),
    },
    react: {
      title: 'React',
      description: 'A whole conversation as a component. Its parts and hooks work alone too.',
      install: `npm install ${packageAt('client.tgz')} ${packageAt('react.tgz')}`,
      code: react(facts),
    },
    javascript: {
      title: 'JavaScript',
      description: 'The client alone, for a page of your own design.',
      install: `npm install ${packageAt('client.tgz')}`,
      code: javaScript(facts),
    },
    node: {
      title: 'Node',
      description: 'The endpoint from which your pages get tokens. The key stays on your server.',
      install: `npm install ${packageAt('server.tgz')}`,
      code: node(facts),
    },
    python: {
      title: 'Python',
      description: 'The endpoint from which your pages get tokens. The key stays on your server.',
      install: `pip install fastapi ${packageAt('python.tgz')}`,
      code: python(facts),
    },
    curl: {
      title: 'curl',
      description: 'A token for one conversation, from a terminal.',
      code: curl(facts),
    },
  }
}
