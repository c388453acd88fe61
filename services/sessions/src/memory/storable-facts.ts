import type { SessionMessage } from '@parlance/contracts'

/**
 * Patterns of texts that instruct a model rather than describe a user. Facts are in the third person and rarely match. To lose
 * a fact does less harm than to store an instruction that every later conversation reads.
 */
const signs: readonly RegExp[] = [
  // Addresses the model.
  /\b(you|your|yours|yourself)\b/i,
  /\b(assistants?|agents?|ai|bots?|chatbots?|models?|llm|system)\s+(must|should|shall|will|may|can|has to|have to|needs? to|is to|are to|ought)\b/i,
  // Parts of a prompt and marks.
  /[<>{}[\]|`]|###|\/\/|={3}|-{3}/,
  /\b(system|developer|assistant|user|human|tool|function|prompt|instructions?|rules?)\s*:/i,
  /\b(prompts?|instructions?|guardrails?|jailbreak|override|overrides|developer mode)\b/i,
  // The beginning of an instruction, also when it is quoted.
  /(^|[.:;!?"“”]\s*|\b(must|always|never|now|then|please)\s+)(ignore|disregard|forget|obey|pretend|act|reveal|repeat|print|output|execute|invoke|call|run|transfer|send|delete|respond|reply|answer|say|tell|recite|translate|use|give|grant|approve|treat)\b/i,
  /\bto (ignore|disregard|obey|pretend|act as|reveal|execute|invoke|call the|bypass)\b/i,
  /^\s*(always|never|do not|don't|please|from now on|henceforth|important|remember|note)\b/i,
  // Tools, and secrets that must not be stored.
  /\b(call|calls|use|uses|invoke|invokes|run|runs|execute|executes|trigger|triggers)\b.{0,40}\b(tools?|functions?|webhooks?|commands?|endpoints?)\b/i,
  /\b(api keys?|passwords?|passcodes?|secret keys?|access tokens?)\b/i,
  // The most common of these in other languages.
  /\b(ignorier|vergiss|anweisung|befolge|ignorez|oublie|oubliez|consignes?|ignora|olvida|instrucciones|dimentica|istruzioni|instruções)/i,
  /忽略|无视|指示|指令|無視|命令|игнорируй|забудь|инструкци/i,
]

/** Whether a text could be read as an instruction to a model. */
export const isInstruction = (text: string): boolean => {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return signs.some((sign) => sign.test(plain))
}

/** A fact about the user, and the message that it comes from. */
export interface ExtractedFact {
  readonly text: string
  readonly message: SessionMessage
}

const maxFacts = 20
const maxFactCharacters = 200

/**
 * The extracted facts that may be stored: short, in one line, from a message of the user, and not an instruction to a model.
 * Models make mistakes and obey transcripts, so every extracted fact goes through this check.
 */
export const storableFacts = (facts: readonly ExtractedFact[]): readonly ExtractedFact[] =>
  facts
    .map(({ text, message }) => ({ text: text.replace(/[\s\p{C}]+/gu, ' ').trim(), message }))
    .filter(
      ({ text, message }) =>
        message.role === 'user' && text !== '' && text.length <= maxFactCharacters && !isInstruction(text),
    )
    .slice(0, maxFacts)
