/** What the `MODEL_CARD` of a Piper voice states about its license. */
export interface ModelCard {
  /** The license of the recordings that the model was trained on; undefined where the card does not state it. */
  readonly license: string | undefined
  /** Where the recordings are published. */
  readonly source: string | undefined
  /** The model that the training began with, in the card's own words. */
  readonly lineage: string | undefined
}

const maxLength = 200

const fieldOf = (card: string, key: string): string | undefined => {
  const value = new RegExp(`^\\s*[*-]?\\s*${key}:\\s*(.+?)\\s*$`, 'im').exec(card)?.[1]
  return value?.slice(0, maxLength)
}

export const parseModelCard = (card: string): ModelCard => ({
  license: fieldOf(card, 'licen[sc]e'),
  source: fieldOf(card, 'url'),
  lineage: /^.*\b(?:finetuned|fine-tuned|trained)\b.*$/im.exec(card)?.[0].trim().slice(0, maxLength),
})
