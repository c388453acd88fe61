const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales: Readonly<Record<string, number>> = { thousand: 1_000, million: 1_000_000, billion: 1_000_000_000 }

const wordValue = (word: string): number | undefined => {
  if (/^\d+(\.\d+)?$/.test(word)) return Number(word)
  if (word === 'a') return 1
  const unit = units.indexOf(word)
  if (unit >= 0) return unit
  const ten = tens.indexOf(word)
  return ten >= 0 ? (ten + 2) * 10 : undefined
}

/** "Five" may follow "twenty", and "twelve" may follow "two hundred"; "one two" is not one number. */
const follows = (group: number | undefined, value: number) =>
  group === undefined ||
  (group % 100 === 0 && value < 100) ||
  (group % 10 === 0 && group % 100 >= 20 && value > 0 && value < 10)

/** "three hundred and five", "minus 4", "two point five"; undefined for anything else. */
export const spokenNumber = (words: readonly string[]): number | undefined => {
  if (words[0] === 'minus' || words[0] === '-') {
    const positive = spokenNumber(words.slice(1))
    return positive === undefined ? undefined : -positive
  }
  const point = words.indexOf('point')
  if (point > 0) {
    const whole = spokenNumber(words.slice(0, point))
    const digits = words.slice(point + 1).map(wordValue)
    if (whole === undefined || digits.length === 0 || digits.some((digit) => !(digit! >= 0 && digit! <= 9))) {
      return undefined
    }
    return Number(`${whole}.${digits.join('')}`)
  }
  let total = 0
  let group: number | undefined
  for (const word of words) {
    const value = wordValue(word)
    if (word === 'and' && group !== undefined) continue
    if (word === 'hundred' && group !== undefined) group *= 100
    else if (scales[word] !== undefined && group !== undefined) {
      total += group * scales[word]
      group = 0
    } else if (value !== undefined && follows(group, value)) group = (group ?? 0) + value
    else return undefined
  }
  return group === undefined ? undefined : total + group
}

type Operator = '+' | '-' | '*' | '/'
const operators: readonly (readonly [RegExp, Operator])[] = [
  [/ (?:plus|and added to|\+) /g, '+'],
  [/ (?:minus|take away|less|-) /g, '-'],
  [/ (?:times|multiplied by|x|\*|×) /g, '*'],
  [/ (?:divided by|over|\/|÷) /g, '/'],
]

const withOperators = (text: string): string => {
  // "twenty-five" is two words. "12+30" and "12 plus 30" are the same sum.
  let spaced = text.replace(/(?<=[a-z])-(?=[a-z])/g, ' ').replace(/(\d)\s*([+*/×÷-])\s*(?=\d)/g, '$1 $2 ')
  for (const [spoken, operator] of operators) spaced = spaced.replace(spoken, ` ${operator} `)
  return spaced
}

const calculate: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

/**
 * The value of a sum, multiplication before addition. Undefined unless the whole text is a sum; infinite for a division by
 * zero.
 */
export const spokenSum = (text: string): number | undefined => {
  const parts = withOperators(text).split(/ ([+*/-]) /)
  const numbers = parts.filter((_, index) => index % 2 === 0).map((part) => spokenNumber(part.split(' ')))
  if (numbers.length < 2 || numbers.some((number) => number === undefined)) return undefined
  const left = numbers as number[]
  const signs = parts.filter((_, index) => index % 2 === 1) as Operator[]
  for (const level of ['*/', '+-']) {
    for (let i = 0; i < signs.length; ) {
      if (!level.includes(signs[i]!)) {
        i++
        continue
      }
      left.splice(i, 2, calculate[signs[i]!](left[i]!, left[i + 1]!))
      signs.splice(i, 1)
    }
  }
  return left[0]
}

/** A number as it is read aloud, to four decimal places. */
export const numberForSpeech = (value: number): string => {
  const rounded = Math.round(value * 10_000) / 10_000
  const isExact = Math.abs(rounded - value) < 1e-9
  return `${isExact ? '' : 'about '}${rounded < 0 ? 'minus ' : ''}${Math.abs(rounded)}`
}
