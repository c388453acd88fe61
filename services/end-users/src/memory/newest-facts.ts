/** Roughly the tokens for a character of each kind: several Latin letters share a token, and a Chinese character is one. */
const tokensPerCharacter = [
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu, 1],
  [/[\p{sc=Latin}\p{sc=Common}]/gu, 1 / 4],
] as const
const tokensPerOtherCharacter = 1 / 2
/** For the list mark and the line end around a fact in a prompt. */
const tokensAroundFact = 2

/** An upper estimate of the tokens of a fact in a prompt. */
export const estimateTokens = (text: string): number => {
  let others = [...text].length
  let tokens = tokensAroundFact
  for (const [kind, each] of tokensPerCharacter) {
    const count = text.match(kind)?.length ?? 0
    others -= count
    tokens += count * each
  }
  return Math.ceil(tokens + others * tokensPerOtherCharacter)
}

/** The newest facts that fit into the budget, the oldest of them first. `facts` has the newest first. */
export const newestFacts = <Fact extends { readonly text: string }>(
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
