/**
 * What a full stop after a word means. Errors cost little in only one direction: a missed sentence end is corrected by the next
 * one, while a cut after `Dr.` is audible. So any possible abbreviation counts as one, except very common words: `No.` is an
 * abbreviation only before a number.
 */

const words = (list: string): readonly string[] => list.trim().split(/\s+/)

/** Titles and common abbreviations that most European languages share. */
const common = words('dr prof st etc vs cf ca al ed vol pp op cit ibid inc ltd tel')

/** Abbreviations, in lower case, without their last stop. Single letters need no entry. */
const abbreviations: Record<string, readonly string[]> = {
  en: words(`
    mr mrs ms messrs mx sr jr rev gen col capt cpt lt sgt maj cmdr adm gov sen rep pres hon esq mt ft ave blvd rd
    approx appt apt dept est fig figs sec no nos viz eds co corp bros assn univ ph phd
  `),
  de: words(`
    bzw usw usf evtl ggf ggfs inkl exkl zzgl vgl sog bspw mind allg betr bez chr dgl dipl ing mag fr frl hr hrn str
    nr abs abschn anm art aufl ausg bd bde bl kap ziff verf hrsg jh jhd jhdt mio mrd tsd std sek gest geb verh ehem
    einschl entspr erg ff gem gez insb insbes jew lt max min möbl monatl österr schweiz dt engl frz ital lat griech rd
    sen jun tägl überw urspr wg zt zus zw zz
  `),
  fr: words(`
    mm mme mmes mlle mlles mgr me pr av bd boul env ex fig hab chap ann apr avr éd janv févr juil sept oct nov déc
    réf suiv tél trad zool
  `),
  es: words(`
    sr sra sres sras srta srtas dra dres dña ud uds vd vds ee uu ej aprox av avda cía depto dpto ed esq
    excmo excma ilmo ilma fig gral izq dcha núm núms pág págs párr ref rte sig sto sta tel tlf trad
  `),
}

/** Words of everyday speech, or names, that are abbreviations only where a number follows. */
const beforeNumber: Record<string, readonly string[]> = {
  en: words('no nos art fig sec jan feb mar apr jun jul aug sep sept oct nov dec est ft mt co'),
  de: words('art max min jan feb apr jun jul aug sept okt nov dez abs'),
  fr: words('me oct nov sept fig ex'),
  es: words('ed fig ene feb mar abr jun jul ago sept oct nov dic'),
}

/** Languages that write an ordinal number as a figure with a full stop. */
const withDottedOrdinals = new Set(words('de da nb nn no fi et lv cs sk pl hu hr sl sr bs is'))

export type DotMeaning = 'sentence' | 'abbreviation' | 'abbreviation before a number'

/** No abbreviation is longer than this, initials with their stops included. */
const longestToken = 16

/** `e.g`, `U.S`, `z.B`, `J.-C`: letters with stops between them, where the meaning of the last stop is in question. */
const dottedLetters = /^(?:\p{L}\p{M}*\.-?)*[\p{Lu}\p{Ll}]\p{M}*$/u
const romanNumeral = /^[IVXLC]+$/

export const createDots = (language: string) => {
  const listed = new Set([...common, ...(abbreviations[language] ?? [])])
  const numbered = new Set(beforeNumber[language] ?? [])
  const ordinals = withDottedOrdinals.has(language)

  return {
    /** What the full stop at `dot` means if white space follows it. Text before `start` is ignored. */
    meaning(text: string, dot: number, start: number): DotMeaning {
      const from = Math.max(start, dot - longestToken)
      const token = /[^\s()[\]{}"'“”„‘’«»‹›¿¡—–]*$/u.exec(text.slice(from, dot))![0]
      if (token === '' || (token.length === longestToken && from > start)) return 'sentence'
      if (/^\d+$/.test(token)) {
        if (ordinals && token.length <= 2) return 'abbreviation'
        return token.length <= 3 && startsLine(text, dot - token.length, start) ? 'abbreviation' : 'sentence'
      }
      if (dottedLetters.test(token)) return 'abbreviation'
      if (ordinals && romanNumeral.test(token)) return 'abbreviation'
      const whole = token.toLowerCase()
      const last = whole.slice(Math.max(whole.lastIndexOf('.'), whole.lastIndexOf('-')) + 1)
      if (numbered.has(whole)) return 'abbreviation before a number'
      return listed.has(whole) || listed.has(last) ? 'abbreviation' : 'sentence'
    },
  }
}

/** Whether nothing but blanks lies between `at` and the beginning of its line: `1.` there numbers an item of a list. */
const startsLine = (text: string, at: number, start: number): boolean => {
  for (let i = at - 1; i >= start; i--) {
    if (text[i] === '\n') return true
    if (!/\s/.test(text[i]!)) return false
  }
  return true
}
