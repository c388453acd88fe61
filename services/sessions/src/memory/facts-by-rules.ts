/** Extracts facts from English messages by rules, for conversations with the built-in model. */
import type { SessionMessage } from '@parlance/contracts'
import type { ExtractedFact } from './storable-facts.js'

interface Rule {
  /** Matches one clause. */
  readonly when: RegExp
  /** Undefined when the match is not a fact after all. */
  fact(match: RegExpExecArray): string | undefined
}

/** The text up to the end of the clause. */
const rest = '(.{1,120}?)'
const end = '\\s*$'
const i =
  '^(?:well |oh |yes |no |and |but |so |also |actually |by the way )*i(?: (?:am|really|also|just|still|do|actually|absolutely))*'
const rule = (pattern: string, fact: Rule['fact']): Rule => ({ when: new RegExp(pattern, 'iu'), fact })

/** Text that refers to something outside of the clause is not a fact by itself. */
const refersElsewhere =
  /^(?:it|that|this|these|those|them|him|her|you|how|what|when|where|the way|one|to (?:know|ask|say|see|hear|order|book|have|get|be|talk|speak))\b/i
const verbs: Readonly<Record<string, string>> = {
  like: 'likes',
  love: 'loves',
  enjoy: 'enjoys',
  prefer: 'prefers',
  hate: 'hates',
  dislike: 'dislikes',
}

const capitalized = (name: string) => name.replace(/(^|[-'’ ])\p{Ll}/gu, (letter) => letter.toUpperCase())
/** The first word, and up to two words with a capital letter after it. */
const nameOf = (text: string): string | undefined =>
  /^(?!(?:not|back|later|when|a|an|the|so|very|just)\b)[\p{L}\p{M}'’-]{1,40}(?: \p{Lu}[\p{L}\p{M}'’-]{0,39}){0,2}/u.exec(
    text,
  )?.[0]
const mine = (text: string) =>
  text
    .replace(/\bmy\b/gi, 'their')
    .replace(/\bi am\b/gi, 'they are')
    .replace(/\bi\b/gi, 'they')
    .replace(/\bme\b/gi, 'them')

const kin =
  'wife|husband|partner|son|daughter|mother|father|mom|mum|dad|brother|sister|friend|boss|dog|cat|horse|company'

const rules: readonly Rule[] = [
  rule(`^.{0,30}?\\b(?:my name is|call me|i am called) ${rest}${end}`, ([, text]) => {
    const name = nameOf(text!)
    return name === undefined ? undefined : `The user's name is ${capitalized(name)}.`
  }),
  rule(`^.{0,40}?\\bmy (${kin})(?:'s name)? is (?:called |named )?${rest}${end}`, ([clause, who, text]) =>
    /'s name is|is called|is named/i.test(clause)
      ? `The user's ${who!.toLowerCase()} is called ${capitalized(text!)}.`
      : undefined,
  ),
  rule(
    `^.{0,30}?\\bmy favou?rite ([\\p{L} ]{1,40}?) (?:is|are) ${rest}${end}`,
    ([, what, text]) => `The user's favorite ${what} is ${text}.`,
  ),
  rule(`${i} (like|love|enjoy|prefer|hate|dislike) ${rest}${end}`, ([, verb, text]) =>
    refersElsewhere.test(text!) ? undefined : `The user ${verbs[verb!.toLowerCase()]} ${mine(text!)}.`,
  ),
  rule(`${i} (?:not|don't) (?:really )?(like|love|enjoy|eat|drink) ${rest}${end}`, ([, verb, text]) =>
    refersElsewhere.test(text!) ? undefined : `The user does not ${verb!.toLowerCase()} ${mine(text!)}.`,
  ),
  rule(
    `${i} (?:live|living) (in|near|at|on) ${rest}${end}`,
    ([, where, text]) => `The user lives ${where} ${mine(text!)}.`,
  ),
  rule(`${i} (?:come )?from ${rest}${end}`, ([, text]) => `The user comes from ${text}.`),
  rule(
    `${i} (?:work|working) (as|at|for|in) ${rest}${end}`,
    ([, how, text]) => `The user works ${how} ${mine(text!)}.`,
  ),
  rule(`${i} allergic to ${rest}${end}`, ([, text]) => `The user is allergic to ${text}.`),
  rule(`${i} have (?:a |an )?([\\p{L} -]{1,40}?) allergy${end}`, ([, what]) => `The user is allergic to ${what}.`),
  rule(`${i} (?:a |an )?(vegetarian|vegan)${end}`, ([, what]) => `The user is ${what}.`),
  rule(`^.{0,30}?\\bmy birthday is (?:on )?${rest}${end}`, ([, text]) => `The user's birthday is ${text}.`),
  rule(`${i} (?:was )?born (on|in) ${rest}${end}`, ([, when, text]) => `The user was born ${when} ${text}.`),
]

/** A request to remember a sentence, with all of its clauses. */
const request = rule(
  "^(?:please |and |so |could you |can you )*(?:please )?(?:remember|do not forget|don't forget|keep in mind)(?: that)? (.{3,160})$",
  ([, text]) => `The user asked to have this remembered: ${mine(text!)}.`,
)

const ofSentence = (sentence: string): string[] => {
  const asked = request.when.exec(sentence)
  const clauses = sentence.split(/\s*[;,]\s*(?:and |but |so )?|\s+(?:and|but|so|because)\s+(?=(?:i|my)\b)/i)
  const own = clauses.flatMap((clause) => {
    for (const { when, fact } of rules) {
      const match = when.exec(clause)
      const text = match === null ? undefined : fact(match)
      if (text !== undefined) return [text]
    }
    return []
  })
  // Facts by the rules are stored in place of the user's own words.
  return asked === null || own.length > 0 ? own : [request.fact(asked)!]
}

const shortForms: readonly (readonly [RegExp, string])[] = [
  [/[’‘]/g, "'"],
  [/\bi'm\b/gi, 'I am'],
  [/\b(name|that|it|birthday)'s\b/gi, '$1 is'],
  [/\bdo not\b/gi, "don't"],
]
const maxMessageCharacters = 2_000

/** The facts in the user's messages. Questions are ignored. Depends on the messages only. */
export const factsByRules = (messages: readonly SessionMessage[]): ExtractedFact[] =>
  messages
    .filter(({ role }) => role === 'user')
    .flatMap((message) => {
      let text = message.text.slice(0, maxMessageCharacters)
      for (const [form, full] of shortForms) text = text.replace(form, full)
      const sentences = text.match(/(?:[^.!?\n]|\.(?=\S))+[.!?\n]*/g) ?? []
      return sentences
        .filter((sentence) => !/\?\s*$/.test(sentence))
        .flatMap((sentence) => ofSentence(sentence.replace(/[.!\s]+$/, '').trim()))
        .map((fact) => ({ text: fact, message }))
    })
