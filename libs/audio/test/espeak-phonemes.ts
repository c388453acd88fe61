/**
 * Every phoneme that eSpeak NG prints, as IPA, for its voices of these languages: read off its output for all
 * combinations of their letters and syllables.
 */
export const espeakPhonemes: Record<string, string> = {
  en: 'a a: aɪ aɪə aɪɚ aʊ aː b d dʒ e eə eɪ eː f h i iə iː j k l m n o oʊ oː oːɹ p r s t tʃ uː v w z æ ð ŋ ɐ ɑː ɑːɹ ɒ ɔ ɔɪ ɔː ɔːɹ ə əl əɹ əʊ ɚ ɛ ɛɹ ɜ ɜː ɡ ɪ ɪɹ ɹ ɾ ʃ ʉ ʉɹ ʉː ʊ ʊə ʊɹ ʌ ʌɹ ʌʉ ʍ ʒ θ',
  de: 'a aɪ aʊ b d eː f h iː j k l m n oː p pf r s t ts uː v x y yː z ç øː ŋ œ ɑ ɑː ɔ ɔø ə ɛ ɛɪ ɛː ɜ ɡ ɪ ɾ ʃ ʊ',
  fr: 'a a- b d dʒ e f i j k l m n o p s t u v w y y- yː z ø ŋ œ œ̃ ɑ̃ ɔ ɔ̃ ə ə- ɛ ɛ̃ ɡ ɲ ʁ ʃ ʒ',
  es: 'a aɪ aʊ b d e eɪ eʊ f i j k l m n o oɪ p r s t tʃ u w x ð ɛ ɡ ɣ ɲ ɾ ʎ ʝ β θ',
  it: 'a aɪ aː b d dz dʒ dʒː e eɪ eː f h i iː j k kː l m n o oː p pː r s ss t ts tsː tʃ tʃː tː u uː v w z ɔ ɔː ɛ ɛː ɡ ɡː ɪ ɲ ɾ ʃ ʊ ʊː ʎ',
  pt: 'a aɪ aʊ b d dʒ e eɪ eʊ f i iʊ j k l m mʲ n o oɪ õ p r s sʲ t tʃ u uɪ ũ v w x y z æ ŋ ɐ ɐ̃ ɐ̃ʊ̃ ɑ ɔ ɔɪ ɛ ɛʊ ɡ ɨ ɪ ɲ ɹ ɾ ʁ ʃ ʊ ʎ ʒ',
  nl: 'aː b d dʒ eʊ eː f h i iː j k l m n oː p r s t tʲ u v w x y yʊ yː z øː ŋ œy ɑ ɔ ə ɛ ɛɪ ɣ ɪ ɪː ɵ ʃ ʋ ʌʊ',
  pl: 'a b bʲ d dʑ dʑʲ dʒ dʒʲ dʲ f h i j k kʲ l m mʲ n p pʲ r s sʲ t ts tɕ tɕʲ tʃ tʃʲ tʲ u v vʲ w wʲ x z ç ŋ ɔ ɔ̃ ɕ ɕʲ ɛ ɛ̃ ɡ ɡʲ ɨ ɲ ɲʲ ʃ ʃʲ ʑ ʑʲ ʒ ʒʲ',
  ru: 'a b bʲ d dʲ e f fʲ i j ja ju k kʲ m mʲ n nʲ o p pʲ r rʲ s sʲ t ts tʃʲ tʲ u u" v vʲ x y z ɑ ɔ ɕ ə ɛ ɡ ɡʲ ɪ ɭ ɭʲ ɵ ʃ ʌ ʑ ʒ',
  tr: 'a aː b c d dʒ e f h i j k l m n o p r s t tʃ u v w y z æ ø øː œ œː ɔ ɔː ɛ ɟ ɡ ɣ ɪ ɫ ɯ ɯɯ ɾ ʃ ʊ ʊː ʒ',
  hi: 'a aː ã b bʰ c cʰ d dʰ eː f h i iː j k kʰ l m n oː p pʰ q r r. r̩ s t tʰ uː x z ŋ ɔ ɔː ɖ ɖʰ ə əə ɛ ɛː ɟ ɟʰ ɡ ɡʰ ɣ ɪ ɲ ɳ ɾ ʂ ʃ ʈ ʈʰ ʊ ʋ ʌ ʰχ',
  cmn: 'a1 a2 a5 ai1 ai2 ai5 aiɜ aɜ ei1 ei2 ei5 eiɜ f i.1 i.2 i.5 i.ɜ i1 i2 i5 iou1 iou2 iou5 iouɜ iɑ1 iɑ2 iɑ5 iɑɜ iɛ1 iɛ2 iɛ5 iɛɜ iɜ i̪1 i̪2 i̪5 i̪ɜ j k kh l m n o-1 o-2 o-5 o-ɜ o1 o2 o5 onɡ1 onɡ2 onɡ5 onɡɜ ou1 ou2 ou5 ouɜ oɜ p ph s s. t th ts ts. ts.h tsh tɕ tɕh u1 u2 u5 ua1 ua2 ua5 uai1 uai2 uai5 uaiɜ uaɜ uei1 uei2 uei5 ueiɜ uo1 uo2 uo5 uoɜ uə1 uə2 uə5 uəɜ uɜ w y1 y2 y5 yiɜ yu1 yu2 yu5 yuɜ yæ1 yæ2 yæ5 yæɜ yə1 yə2 yə5 yəɜ yɛ1 yɛ2 yɛ5 yɛɜ yɜ ŋ ɑ1 ɑ2 ɑ5 ɑu1 ɑu2 ɑu5 ɑuɜ ɑɜ ɕ ə1 ə2 ə5 ər1 ər2 ər5 ərɜ əɜ ʐ ʲ χ',
  ja: 'b d dʑ e̞ e̞e̞ h i iː j k kʲ l m n nʲ o̞ o̞o̞ p s t ts tɕ v w z ä ää ç ŋ ũ ɕ ə ɡ ɡʲ ɯᵝ ɯᵝɯᵝ ɴ ɸ ɽ ɽʲ ʔ',
}
