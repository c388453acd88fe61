/** The IPA of flite's phones, which are those of the CMU dictionary. `pau`, a pause, has no IPA. */
const ipaOfPhone: Readonly<Record<string, string>> = {
  aa: 'ɑː',
  ae: 'æ',
  ah: 'ʌ',
  ao: 'ɔː',
  aw: 'aʊ',
  ax: 'ə',
  axr: 'ɚ',
  ay: 'aɪ',
  b: 'b',
  ch: 'tʃ',
  d: 'd',
  dh: 'ð',
  dx: 'ɾ',
  eh: 'ɛ',
  el: 'əl',
  em: 'əm',
  en: 'ən',
  er: 'ɚ',
  ey: 'eɪ',
  f: 'f',
  g: 'ɡ',
  hh: 'h',
  hv: 'h',
  ih: 'ɪ',
  iy: 'iː',
  jh: 'dʒ',
  k: 'k',
  l: 'l',
  m: 'm',
  n: 'n',
  ng: 'ŋ',
  nx: 'ɾ',
  ow: 'oʊ',
  oy: 'ɔɪ',
  p: 'p',
  r: 'ɹ',
  s: 's',
  sh: 'ʃ',
  t: 't',
  th: 'θ',
  uh: 'ʊ',
  uw: 'uː',
  v: 'v',
  w: 'w',
  y: 'j',
  z: 'z',
  zh: 'ʒ',
}

const isVowel = (ipa: string): boolean => /^[aɑæʌɔəɚeɛɪioʊu]/u.test(ipa)

/** Returns the IPA of a phone, empty for a pause. The vowel of a stressed syllable has a stress mark. */
export const ipaOf = (phone: string, stressed: boolean): string => {
  const ipa = ipaOfPhone[phone] ?? ''
  return stressed && isVowel(ipa) ? `ˈ${ipa}` : ipa
}
