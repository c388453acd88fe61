/** Phrases of one language that confirm or refuse. */
interface AffirmationWords {
  /** A confirmation contains at least one of them. */
  readonly yes: readonly string[]
  /** A confirmation contains none of them: they refuse, delay, ask a question or ask for something else. */
  readonly no: readonly string[]
  /** Phrases that confirm although they contain words of `no`. */
  readonly idioms: readonly string[]
  /** Words of a cancellation, which confirm only the question whether to cancel. */
  readonly cancel: readonly string[]
  /** A confirmation contains none of them: "okay, Tuesday" may ask for another day. */
  readonly times: readonly string[]
}

const list = (text: string): string[] => text.split(',').map((phrase) => phrase.trim())

/** Phrases by language. They are compared without accents. */
const affirmationWords: Readonly<Record<string, AffirmationWords>> = {
  en: {
    yes: list(`yes, yeah, yep, yup, sure, ok, okay, correct, right, exactly, definitely, absolutely, certainly, of course,
      confirm, confirmed, do it, do that, go ahead, go for it, please do, sounds good, that works, that's fine, fine, perfect,
      great, alright, all right, book it, mhm, uh huh, affirmative`),
    no: list(`no, nope, nah, not, never, none, neither, stop, wait, hold, hang on, but, instead, rather, actually, except, later,
      different, another, other, change, wrong, incorrect, maybe, perhaps, unless, if, or, what, when, where, why, which, how,
      who, what's, when's, where's, how's, who's, also, make it, are you, is it, is that, can you, could you, do you, forget, first, tell, unsure, don't, dont, cannot, nothing`),
    idioms: list('no problem, why not, no worries, not a problem'),
    cancel: list('cancel, cancelled, delete, remove, drop, call it off'),
    times:
      list(`monday, tuesday, wednesday, thursday, friday, saturday, sunday, today, tomorrow, tonight, morning, afternoon, evening,
      noon, midnight, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, o'clock, half, quarter, next,
      earlier, hour, hours, minutes, week, weekly, daily, every`),
  },
  de: {
    yes: list(`ja, jawohl, jo, jep, klar, genau, gerne, gern, ok, okay, passt, stimmt, richtig, einverstanden, natürlich,
      selbstverständlich, mach das, machen sie das, mach es, bestätige, bestätigt, bestätigen, in ordnung, perfekt, super,
      alles klar`),
    no: list(`nein, nee, ne, nö, nicht, nichts, kein, keine, keinen, nie, niemals, stopp, stop, halt, warte, warten, moment,
      augenblick, aber, sondern, lieber, stattdessen, anders, andere, anderen, anderer, später, falsch, vielleicht, wenn, ob,
      oder, ändern, ändere, was, wann, wo, wie, warum, wieso, welche, welcher, wer, erst, zuerst, eigentlich, bist du,
      sind sie, ist das, kannst du, können sie, vergiss`),
    idioms: list('kein problem, auf jeden fall, warum nicht, wieso nicht, keine frage'),
    cancel: list(`absagen, sag ab, sagen sie ab, storniere, stornieren, streichen, streiche, löschen, lösche, abbrechen,
      entfernen, sag ihn ab, sagen sie ihn ab`),
    times:
      list(`montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonnabend, sonntag, heute, morgen, übermorgen, abend, mittag,
      mittags, nachmittag, vormittag, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, uhr, halb, viertel,
      früher, stunde, stunden, minuten, woche, wöchentlich, täglich, jeden, nächste, nächsten`),
  },
  fr: {
    yes: list(`oui, ouais, ok, okay, d'accord, bien sûr, c'est ça, c'est bon, exact, exactement, parfait, volontiers, allez y,
      vas y, je confirme, confirme, confirmez, absolument, certainement, ça marche, entendu, tout à fait, très bien`),
    no: list(`non, pas, ne, jamais, rien, aucun, aucune, attends, attendez, attendre, mais, plutôt, arrête, arrêtez, stop,
      instant, minute, moment, autre, changer, change, changez, plus tard, peut être, si, quand, quoi, comment, pourquoi, quel,
      quelle, où, ou, faux, d'abord, est ce, qui, oublie, oubliez`),
    idioms: list('pas de problème, pas de souci, pourquoi pas, aucun problème, aucun souci'),
    cancel: list('annule, annuler, annulez, annule le, annulez le, supprime, supprimer, supprimez'),
    times:
      list(`lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, aujourd'hui, demain, matin, midi, soir, deux, trois, quatre,
      cinq, six, sept, huit, neuf, dix, onze, douze, heure, heures, demie, quart, tôt, minutes, semaine, chaque, prochain,
      prochaine`),
  },
  es: {
    yes: list(`sí, claro, vale, de acuerdo, ok, okay, correcto, exacto, exactamente, por supuesto, adelante, hazlo, hágalo,
      confirmo, confirma, confirme, perfecto, bueno, está bien, desde luego, dale, muy bien`),
    no: list(`no, nunca, nada, ninguno, tampoco, espera, espere, esperar, momento, pero, mejor, sino, detente, alto, stop, otro,
      otra, cambiar, cambia, cambie, cambiarlo, cámbialo, después, más tarde, quizá, quizás, tal vez, cuándo, cómo, dónde, por qué,
      cuál, quién, primero, incorrecto, equivocado, o, olvida, olvídalo`),
    idioms: list('sin problema, no hay problema, cómo no, por qué no, claro que sí'),
    cancel: list(
      'cancela, cancelar, cancele, cancélalo, cancélelo, borra, borrar, bórralo, elimina, eliminar, anula, anular',
    ),
    times:
      list(`lunes, martes, miércoles, jueves, viernes, sábado, domingo, hoy, mañana, mediodía, tarde, noche, dos, tres, cuatro,
      cinco, seis, siete, ocho, nueve, diez, once, doce, media, cuarto, antes, hora, horas, minutos, semana, cada, próximo,
      próxima`),
  },
  zh: {
    yes: list('是, 对, 對, 好, 可以, 行, 确认, 確認, 当然, 當然, 嗯, 同意, 就这样, 就這樣, ok'),
    no: list(`不, 没, 沒, 无, 無, 别, 別, 等, 但, 可是, 换, 換, 改, 错, 錯, 先, 算了, 停, 吗, 嗎, 呢, 什么, 什麼, 哪, 几点, 幾點, 或,
      还是, 還是, 如果, 可能, 也许, 也許, 是否`),
    idioms: list('没问题, 沒問題, 没错, 沒錯'),
    cancel: list('取消, 删除, 刪除'),
    times: list(
      `星期, 礼拜, 禮拜, 周, 週, 今天, 明天, 后天, 後天, 早上, 上午, 中午, 下午, 晚上, 点, 點, 早, 晚, 小时, 小時, 分钟, 分鐘, 每`,
    ),
  },
  ja: {
    yes: list(`はい, ええ, うん, そうです, そうして, お願い, おねがい, いいです, いいよ, オーケー, オッケー, ok, もちろん, 了解, 承知,
      確認, その通り, よろしく, 合っています`),
    no: list(`いいえ, いや, 嫌, ううん, 違, ちが, だめ, ダメ, 駄目, やめ, 止め, 待, まって, ちょっと, ない, ません, でも, しかし, けど, 別,
      変更, 変え, 結構, 大丈夫, ですか, ますか, 何, いつ, どう, なぜ, もし, まず, 先に, いかが, かな`),
    idioms: list('どうぞ, 問題ない, 問題ありません, 構いません, かまいません'),
    cancel: list('キャンセル, 取り消, 削除'),
    times: list(`曜, 今日, 明日, あした, あさって, 明後日, 朝, 午前, 午後, 昼, 夕方, 夜, 時, 早, 遅, 分, 週, 毎`),
  },
}

/** Longer answers contain more than a yes. */
const maxWords = 12
const maxCharacters = 24

/** Languages that are written without spaces between words. */
const unspaced = new Set(['zh', 'ja'])

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[‘’]/g, "'")

const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}']+/gu) ?? []

/** With a space around each word, so that phrases are found as whole words. */
const spaced = (text: string): string => ` ${wordsOf(text).join(' ')} `
/** Without spaces except around words in Latin letters, so that "OK" is not found in "Tokyo". */
const joined = (text: string): string =>
  wordsOf(text)
    .join('')
    .replace(/[a-z']+/g, ' $& ')

type Form = (text: string) => string

const has = (text: string, phrases: readonly string[], form: Form): boolean =>
  phrases.some((phrase) => text.includes(form(phrase)))

const without = (text: string, phrases: readonly string[], form: Form): string =>
  phrases.reduce((rest, phrase) => rest.replaceAll(form(phrase), ' '), text)

/** English negations such as "isn't", French ones such as "n'est". */
const isNegation = (word: string): boolean => /n't$|^n'/.test(word)

/** For languages without a list of refusals: all words must be known as a yes. */
const isNothingButYes = (text: string): boolean => {
  const yes = new Set(Object.values(affirmationWords).flatMap((words) => words.yes.map((word) => spaced(word).trim())))
  const words = wordsOf(text)
  return words.length > 0 && words.every((word) => yes.has(word))
}

const affirms = (
  text: string,
  { yes, no, idioms, cancel, times }: AffirmationWords,
  form: Form,
  { cancelling }: { cancelling: boolean },
): boolean => {
  const words = form(text)
  const rest = without(words, idioms, form)
  if (has(rest, no, form) || has(rest, times, form)) return false
  if (!cancelling && has(rest, cancel, form)) return false
  return rest !== words || has(rest, yes, form)
}

/**
 * Whether an answer to "shall I?" says yes and nothing else. A doubtful answer is not a yes: the Agent asks again. `language`
 * is a tag such as `de-AT`. `cancelling`: the question was whether to cancel, so that "yes, cancel it" is a yes.
 */
export const isAffirmation = (text: string, language: string, { cancelling = false } = {}): boolean => {
  if (/[?？\p{N}]/u.test(text)) return false
  const base = language.toLowerCase().split(/[-_]/)[0] ?? ''
  const words = Object.hasOwn(affirmationWords, base) ? affirmationWords[base] : undefined
  if (words === undefined) return isNothingButYes(text)
  if (unspaced.has(base)) return joined(text).length <= maxCharacters && affirms(text, words, joined, { cancelling })
  const answer = wordsOf(text)
  if (answer.length > maxWords || answer.some(isNegation)) return false
  return affirms(text, words, spaced, { cancelling })
}
