import type { CatalogueKind, CatalogueModel } from './catalogue-schema.js'

export interface CatalogueQuery {
  /** A BCP 47 tag: `en` finds `en-US` and `en-GB` too. */
  readonly language?: string | undefined
  readonly kind?: CatalogueKind | undefined
  /** Only models whose licence is known to be permissive. */
  readonly permissiveOnly?: boolean | undefined
}

const matches = (tag: string, wanted: string): boolean =>
  tag.toLowerCase() === wanted || tag.toLowerCase().startsWith(`${wanted}-`)

/** The models of a catalogue that a query asks for, in their order. A model without languages is for all of them. */
export const searchCatalogue = (
  models: readonly CatalogueModel[],
  { language, kind, permissiveOnly = false }: CatalogueQuery,
): CatalogueModel[] => {
  const wanted = language?.toLowerCase().replaceAll('_', '-')
  return models.filter(
    (model) =>
      (kind === undefined || model.kind === kind) &&
      (!permissiveOnly || model.license.permissive === true) &&
      (wanted === undefined || model.languages.length === 0 || model.languages.some((tag) => matches(tag, wanted))),
  )
}
