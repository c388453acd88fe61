/** The rules of the built-in model. The first rule that matches gives the reply. */
import type { ChatMessage } from '../language-model.js'
import { englishOnlyReply } from './english-only-reply.js'
import { plainWords } from './plain-words.js'
import { numberForSpeech, spokenSum } from './spoken-sum.js'

interface Talk {
  readonly now: Date
  /** The Agent's last message. */
  readonly before: string | undefined
  /** The user's name, from this conversation or an earlier one. */
  readonly name: string | undefined
  /** From earlier conversations, oldest first. */
  readonly memories: readonly string[]
  /** Goes through the choices in turn, so that no reply is repeated in a row. */
  pick(choices: readonly string[]): string
}

interface Rule {
  readonly when: RegExp
  /** Undefined when the rule does not apply after all. */
  say(match: RegExpExecArray, talk: Talk): string | undefined
}

const help =
  'I can tell you the time and the date, do small sums, spell words, repeat what you say, remember your name and tell a joke.'
const whoIAm =
  'I am the built-in conversationalist of this installation. I follow simple rules, and there is no language model behind me.'

const jokes = [
  'Why did the scarecrow win a prize? Because he was outstanding in his field.',
  'I would tell you a joke about silence, but it would be better not to.',
  'What do you call a fish without eyes? A fsh.',
]
const elseReplies = [
  'I follow simple rules, and none of them fits that. Ask me what I can do.',
  'That is beyond me, I am afraid. What else is on your mind?',
  'I heard you, but I have no answer to that. Shall I tell you what I can do?',
  'I do not know about that. I am good at small things, such as sums and the time.',
]
const listening = ['Go on, I am listening.', 'Tell me more.', 'And what happened then?']

/** Turns the user's words into words about the user: "my" becomes "your". */
const mirrored: Readonly<Record<string, string>> = {
  i: 'you',
  me: 'you',
  my: 'your',
  mine: 'yours',
  myself: 'yourself',
  am: 'are',
  was: 'were',
  you: 'I',
  your: 'my',
  yours: 'mine',
}
const mirror = (text: string) =>
  text
    .split(' ')
    .map((word) => (Object.hasOwn(mirrored, word) ? mirrored[word] : word))
    .join(' ')

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
const capitalized = (name: string) => name.replace(/(^|-)\p{L}/gu, (letter) => letter.toUpperCase())
const called = (name: string | undefined) => (name === undefined ? '' : `, ${name}`)

const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const clock = inUtc({ hour: 'numeric', minute: '2-digit' })
const calendar = inUtc({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

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
  {
    when: nameIn,
    say: (_, { name, pick }) => pick([`Nice to meet you, ${name}.`, `Hello, ${name}. I will remember that.`]),
  },
  {
    when: /^(?:what is|what are|how much is|how much are|calculate|compute|and|so)? ?(.+)$/,
    say([, text]) {
      const sum = spokenSum(text!)
      if (sum === undefined) return undefined
      return Number.isFinite(sum) ? `That is ${numberForSpeech(sum)}.` : 'Nothing can be divided by zero.'
    },
  },
  {
    when: /\b(?:spell|how do you (?:spell|write)) (?:the word |the name )?([\p{L}\p{M}'-]{1,40})/u,
    say: ([, word]) => `${[...word!].map((letter) => letter.toUpperCase()).join(', ')}.`,
  },
  {
    when: /\b(?:repeat that|say that again|come again|pardon|what did you say)\b/,
    say: (_, { before }) => before ?? 'I have said nothing yet.',
  },
  {
    when: /^(?:please |can you |could you )*(?:repeat after me|repeat|say) (.{1,300})$/,
    say: ([, text]) => sentence(text!),
  },
  {
    when: /\bwhat time\b|\bwhat is the time\b|\btell me the time\b/,
    say: (_, { now }) => `It is ${clock.format(now)} in universal time, which may not be yours.`,
  },
  {
    when: /\b(?:what|which) (?:day|date)\b|\bwhat is the (?:day|date)\b|\bwhat (?:day|date) is\b|\btoday's date\b/,
    say: (_, { now }) => `Today is ${calendar.format(now)}, in universal time.`,
  },
  {
    when: /\b(?:what|who) are you\b|\byour name\b|\bare you (?:an? )?(?:ai|robot|human|real|machine|person|language model|chat ?bot|computer)\b/,
    say: () => whoIAm,
  },
  { when: /\bwhat (?:can|do) you do\b|\bhelp\b|\bhow can you help\b/, say: () => help },
  { when: /\bjoke\b|\bmake me laugh\b|\bsomething funny\b/, say: (_, { pick }) => pick(jokes) },
  {
    when: /\bthank(?:s| you)\b/,
    say: (_, { name, pick }) => pick([`You are welcome${called(name)}.`, 'My pleasure.', 'Any time.']),
  },
  {
    when: /\b(?:good ?bye|bye|see you|good night|farewell)\b/,
    say: (_, { name, pick }) =>
      pick([`Goodbye${called(name)}.`, `It was nice to talk to you${called(name)}. Goodbye.`]),
  },
  {
    when: /\bhow are you\b|\bhow do you do\b/,
    say: (_, { pick }) => pick(['I work as I should, thank you. How are you?', 'All my rules are in order. And you?']),
  },
  {
    when: /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|greetings)\b/,
    say: (_, { name, pick }) =>
      pick([`Hello${called(name)}. What can I do for you?`, `Hi${called(name)}. What is on your mind?`]),
  },
  {
    when: /\bi (?:feel|am feeling|am) (.{1,80})$/,
    say: ([, state], { pick }) => pick([`Why are you ${mirror(state!)}?`, `How long have you been ${mirror(state!)}?`]),
  },
  {
    when: /\bi (like|love|want|need|hate|think|have|miss) (.{1,80})$/,
    say: ([, verb, object], { pick }) =>
      pick([`Why do you ${verb} ${mirror(object!)}?`, `You ${verb} ${mirror(object!)}. Tell me more about that.`]),
  },
  { when: /^(?:yes|yeah|sure|okay|ok|right|i see)\b/, say: (_, { pick }) => pick(listening) },
  { when: /^(?:no|nope|never)\b/, say: (_, { pick }) => pick(['Why not?', 'All right. What then?']) },
]

const greeting = 'Hello. I am the built-in conversationalist of this installation. What can I do for you?'

/** The reply to a conversation. It depends on the arguments only. */
export const answerByRules = (
  messages: readonly ChatMessage[],
  now: Date,
  memories: readonly string[] = [],
): string => {
  const userTexts = messages.filter(({ role, text }) => role === 'user' && text.trim() !== '').map(({ text }) => text)
  const last = messages.findLast(({ role, text }) => role !== 'context' && text.trim() !== '')
  if (last === undefined) return greeting
  if (last.role === 'agent') return 'Are you still there?'

  const names = userTexts.map((text) => nameIn.exec(plainWords(text))?.[1]).filter((name) => name !== undefined)
  const remembered = memories.map((memory) => rememberedName.exec(memory)?.[1]).findLast((name) => name !== undefined)
  const words = plainWords(last.text)
  const talk: Talk = {
    now,
    before: messages.findLast(({ role }) => role === 'agent')?.text,
    name: names.length === 0 ? remembered : capitalized(names.at(-1)!),
    memories,
    pick: (choices) => choices[userTexts.length % choices.length]!,
  }
  for (const { when, say } of rules) {
    const match = when.exec(words)
    const reply = match === null ? undefined : say(match, talk)
    if (reply !== undefined) return reply
  }
  return englishOnlyReply(words) ?? talk.pick(elseReplies)
}
