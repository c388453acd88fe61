/** What a model takes for a character of each kind, roughly: Latin words are cheap, and a sign of Chinese is a word. */
const tokensPerCharacter = [
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu, 1],
  [/[\p{sc=Latin}\p{sc=Common}]/gu, 1 / 4],
] as const
const tokensPerOtherCharacter = 1 / 2
/** For what stands around a fact in a prompt. */
const tokensBesideFact = 2

/** How many tokens a fact takes in a prompt, rather too many than too few. */
export const estimateTokens = (text: string): number => {
  let others = [...text].length
  let tokens = tokensBesideFact
  for (const [kind, each] of tokensPerCharacter) {
    const count = text.match(kind)?.length ?? 0
    others -= count
    tokens += count * each
  }
  return Math.ceil(tokens + others * tokensPerOtherCharacter)
}

/** Of facts, the newest first, those that fit; the oldest of them first. */
export const newestWithin = <Fact extends { readonly text: string }>(
  facts: readonly Fact[],
  tokenBudget: number,
): Fact[] => {
  const fitting: Fact[] = []
  let tokens = 0
  for (const fact of facts) {
    tokens += estimateTokens(fact.text)
    if (tokens > tokenBudget) break
    fitting.push(fact)
  }
  return fitting.reverse()
}
