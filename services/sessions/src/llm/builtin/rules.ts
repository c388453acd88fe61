/** The rules of the built-in model. The first rule that matches gives the reply. */
import type { ChatMessage } from '../language-model.js'
import { plainWords } from './plain-words.js'
import { numberForSpeech, spokenSum } from './spoken-sum.js'

/** What a reply depends on besides the messages. */
interface Situation {
  readonly now: Date
  /** Of the user, as an IANA name. */
  readonly timeZone: string
  /** From earlier conversations, oldest first. */
  readonly memories: readonly string[]
}

interface Talk extends Situation {
  /** The user's name, from this conversation or an earlier one. */
  readonly name: string | undefined
  /** Returns one choice after the other, so that no reply is repeated in a row. */
  pick(choices: readonly string[]): string
}

interface Rule {
  readonly when: RegExp
  /** Undefined when the rule does not apply after all. */
  say(match: RegExpExecArray, talk: Talk): string | undefined
}

const capitalized = (name: string) => name.replace(/(^|-)\p{L}/gu, (letter) => letter.toUpperCase())
const called = (name: string | undefined) => (name === undefined ? '' : `, ${name}`)

const nameIn = /\b(?:my name is|call me) (?!(?:not|back|later|when)\b)([\p{L}\p{M}'-]{1,40})/u

const rememberedName = /^The user's name is (.+)\.$/

/** Turns "The user likes tea." into "you like tea". */
const toUser = (memory: string): string =>
  memory
    .replace(/^The user's /, 'your ')
    .replace(/^The user (is|was|has|does not|(?!was\b)\w+?s)\b/, (_, verb: string) => `you ${ofSecondPerson(verb)}`)
    .replace(/^The user\b/, 'you')
    .replace(/[.!]+$/, '')
const ofSecondPerson = (verb: string): string =>
  ({ is: 'are', was: 'were', has: 'have', 'does not': 'do not' })[verb] ?? verb.slice(0, -1)
const maxSpokenMemories = 5

/** "Greenwich Mean Time" or "Central European Standard Time". */
const zoneName = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')!.value

const help =
  'I can answer questions about Parlance, tell you the time and the date, do small sums, and call the tools of this Agent. ' +
  'Ask me how to get a voice, a language model, or an Agent on your site.'

/** Questions about the product. A topic comes before a more general one. */
const aboutProduct: readonly (readonly [when: RegExp, answer: string])[] = [
  [
    /\b(?:language models?|llm|ollama|lm studio|llama|chat ?gpt|open ?ai|anthropic|model providers?)\b/,
    'Add a language model on the page Model providers. A server on this machine, such as Ollama, is found by itself and needs no ' +
      'account. Then choose the model in the Agent.',
  ],
  [
    /\b(?:recogni[sz]ers?|speech recognition|understand me|transcri\w+|microphone|hear me)\b/,
    'Speech is recognized by a model on this machine. Get started installs one, and the page Models lists all of them. Until then you ' +
      'can type.',
  ],
  [
    /\b(?:voices?|sound (?:like|so)|robot(?:ic)? voice)\b/,
    'The page Voices plays every voice. Get started installs a natural one, which runs on this machine and sends nothing to anyone.',
  ],
  [
    /\b(?:phone|telephone|call (?:cent(?:er|re)s?|numbers?))\b/,
    'People talk with an Agent in a browser, by voice or by typing. Your programs reach it through the API.',
  ],
  [
    /\b(?:web ?site|web ?page|my site|embed|publish|deploy|go live|widget)\b/,
    'Press Publish in the Agent, and make an API key. With it your server makes a session token, and your page starts the ' +
      'conversation with our client library.',
  ],
  [
    /\b(?:api|keys?|sdk|program(?:s|mers?)?|developers?|code)\b/,
    'Make a key on the page API keys, which also shows your first call. The API reference is in the menu. Existing programs ' +
      'for Open AI’s speech need only another address.',
  ],
  [
    /\b(?:cost|costs|price|pric(?:es|ing)|free|pay|credit|billing|licen[cs]e|open source)\b/,
    'Parlance is open source under the Apache license and runs on your own machine. Usage draws on credit that the operator ' +
      'grants, which you see on the page Usage and credit.',
  ],
  [
    /\b(?:private|privacy|data|stored?|secure|security|record(?:s|ed|ing|ings)?|cloud|history|past conversations|transcripts?)\b/,
    'Everything stays on the machine that runs Parlance. The page Conversations shows what was said, with the recording where the ' +
      'Agent records and people agreed.',
  ],
  [
    /\blanguages?\b|\b(?:speak|talk) (?:german|french|spanish|italian|dutch|portuguese|polish|chinese|japanese)\b/,
    'The rules that answer you know English only. An Agent with a language model speaks every language for which a voice and a ' +
      'recognizer are installed.',
  ],
  [
    /\b(?:tools?|web ?hooks?|calendars?|web search|functions?)\b/,
    'An Agent can call tools: your own web services, functions of your page, a web search and a calendar. Add them in the section ' +
      'Tools of the Agent. To try one here, say call, and its name.',
  ],
  [
    /\b(?:avatars?|faces?)\b/,
    'Choose an avatar in the Agent. Its lips follow the speech, in any browser, and the page Avatars shows all of them.',
  ],
  [
    /\b(?:interrupt|cut (?:in|off)|talk over)\b/,
    'Just speak while I do: I stop, and I know how far you heard me. The section Turns of the Agent changes how quickly.',
  ],
  [
    /\b(?:agents?|prompts?|instructions?|templates?|assistants?)\b/,
    'Press New Agent on the page Agents and choose a template. Write in its prompt what it should know and do, and talk with the ' +
      'draft. The prompt needs a language model, which I do not have.',
  ],
  [
    /\b(?:install|docker|kubernetes|server|host|machine|requirements)\b/,
    'Parlance runs on one machine with npm start, or in containers and on Kubernetes. The folder docs describes each.',
  ],
  [
    /\b(?:get started|getting started|begin|first steps?|what (?:next|now))\b/,
    'Open Get started in the menu. It leads you to a natural voice, a recognizer, a language model, a conversation, and your site.',
  ],
  [
    /\b(?:parlance|parlor|parlence|this (?:product|platform|software))\b/,
    'Parlance is a platform for voice agents that you run yourself. It listens, answers, and speaks, and it has an API for your ' +
      'programs.',
  ],
]

const rules: readonly Rule[] = [
  {
    when: /\bwhat do you (?:know|remember) (?:of|about) me\b|\bdo you (?:remember|know) me\b|\bwhat have you learn(?:t|ed) about me\b/,
    say: (_, { memories }) =>
      memories.length === 0
        ? 'I know nothing of you yet.'
        : `I remember that ${memories.slice(-maxSpokenMemories).map(toUser).join(', and that ')}.`,
  },
  {
    when: /\bwhat is my name\b|\bwho am i\b|\bdo you (?:know|remember) my name\b/,
    say: (_, { name }) => (name === undefined ? 'You have not told me your name yet.' : `Your name is ${name}.`),
  },
  { when: nameIn, say: (_, { name }) => `Nice to meet you, ${name}.` },
  {
    when: /^(?:please |can you |could you |tell me )*(?:what is|what are|how much is|how much are|calculate|compute|and|so)? ?(.+?)(?: please| equals?)?$/,
    say([, text]) {
      const sum = spokenSum(text!)
      if (sum === undefined) return undefined
      return Number.isFinite(sum) ? `That is ${numberForSpeech(sum)}.` : 'Nothing can be divided by zero.'
    },
  },
  {
    when: /\bwhat time\b|\b(?:what is|tell me|know|have) the time\b/,
    say: (_, { now, timeZone }) => {
      const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone })
      return `It is ${clock.format(now)}, ${zoneName(timeZone, now)}.`
    },
  },
  {
    when: /\b(?:what|which) (?:day|date)\b|\b(?:what is|tell me) the (?:day|date)\b|\btoday's date\b/,
    say: (_, { now, timeZone }) =>
      `Today is ${new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(now)}.`,
  },
  {
    when: /\b(?:what|who) are you\b|\byour name\b|\bare you (?:an? )?(?:ai|robot|human|real|machine|person|language model|chat ?bot|computer)\b/,
    say: () =>
      'I am the demonstration that comes with Parlance. I follow simple rules, and there is no language model behind me.',
  },
  { when: /\bwhat (?:can|do) you do\b|\bhow can you help\b|^(?:please )?help(?: me)?$/, say: () => help },
  ...aboutProduct.map(([when, answer]): Rule => ({ when, say: () => answer })),
  { when: /\bthank(?:s| you)\b/, say: (_, { name }) => `You are welcome${called(name)}.` },
  { when: /\b(?:good ?bye|bye|see you|good night|farewell)\b/, say: (_, { name }) => `Goodbye${called(name)}.` },
  { when: /\bhow are you\b|\bhow do you do\b/, say: () => 'I work as I should, thank you. What can I do for you?' },
  {
    when: /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|greetings)\b/,
    say: (_, { name, pick }) =>
      pick([`Hello${called(name)}. What can I do for you?`, `Hi${called(name)}. Ask me about Parlance.`]),
  },
]

const noRule = [
  'I am a demonstration without a language model, and I have no rule for that. Ask me what I can do.',
  'I have no rule for that. I can answer questions about Parlance, tell the time and do sums.',
  'That needs a language model, which this Agent does not have. Ask me how to add one.',
]

const longWords = (text: string): string[] => plainWords(text).match(/[\p{L}\d]{4,}/gu) ?? []

/** The sentence of the Agent's files that shares most words with the user's; undefined when none shares `least`. */
const sentenceFor = (words: string, messages: readonly ChatMessage[], least: number): string | undefined => {
  const found = messages.findLast(({ role }) => role === 'knowledge')?.text ?? ''
  // The first line of each passage is its title.
  const passages = found.split('\n\n').map((passage) => passage.slice(passage.indexOf('\n') + 1))
  const asked = new Set(longWords(words))
  let best: { readonly sentence: string; readonly shared: number } | undefined
  for (const sentence of passages.join('\n').match(/.+?[.?!](?=\s|$)|.+$/gm) ?? []) {
    const shared = new Set(longWords(sentence).filter((word) => asked.has(word))).size
    if (shared >= least && shared > (best?.shared ?? 0)) best = { sentence: sentence.trim(), shared }
  }
  return best?.sentence
}

/** The reply to a conversation. It depends only on the arguments. */
export const answerByRules = (messages: readonly ChatMessage[], situation: Situation): string => {
  const userTexts = messages.filter(({ role, text }) => role === 'user' && text.trim() !== '').map(({ text }) => text)
  const last = messages.findLast(({ role, text }) => role !== 'context' && role !== 'knowledge' && text.trim() !== '')
  if (last === undefined) return 'Hello. I am the demonstration that comes with Parlance. What can I do for you?'
  if (last.role === 'agent') return 'Are you still there?'

  const names = userTexts.map((text) => nameIn.exec(plainWords(text))?.[1]).filter((name) => name !== undefined)
  const remembered = situation.memories
    .map((memory) => rememberedName.exec(memory)?.[1])
    .findLast((name) => name !== undefined)
  const words = plainWords(last.text)
  const talk: Talk = {
    ...situation,
    name: names.length === 0 ? remembered : capitalized(names.at(-1)!),
    pick: (choices) => choices[userTexts.length % choices.length]!,
  }
  // Two words are not shared by chance: the rules about the product must not answer for the files.
  const found = sentenceFor(words, messages, 2)
  if (found !== undefined) return found
  for (const { when, say } of rules) {
    const match = when.exec(words)
    const reply = match === null ? undefined : say(match, talk)
    if (reply !== undefined) return reply
  }
  return sentenceFor(words, messages, 1) ?? talk.pick(noRule)
}
