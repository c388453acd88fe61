import type { CatalogKind, CatalogModel } from './catalog-schema.js'

export interface CatalogQuery {
  /** A BCP 47 tag: `en` finds `en-US` and `en-GB` too. */
  readonly language?: string | undefined
  readonly kind?: CatalogKind | undefined
  /** Only models whose license is known to be permissive. */
  readonly permissiveOnly?: boolean | undefined
}

const matches = (tag: string, wanted: string): boolean =>
  tag.toLowerCase() === wanted || tag.toLowerCase().startsWith(`${wanted}-`)

/** The models of a catalog that match a query, in their order. A model without languages matches every language. */
export const searchCatalog = (
  models: readonly CatalogModel[],
  { language, kind, permissiveOnly = false }: CatalogQuery,
): CatalogModel[] => {
  const wanted = language?.toLowerCase().replaceAll('_', '-')
  return models.filter(
    (model) =>
      (kind === undefined || model.kind === kind) &&
      (!permissiveOnly || model.license.permissive === true) &&
      (wanted === undefined || model.languages.length === 0 || model.languages.some((tag) => matches(tag, wanted))),
  )
}
