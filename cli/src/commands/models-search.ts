import { type CatalogKind, catalogKinds, searchCatalog } from '@parlance/models/install'
import { type Command, Option } from 'commander'
import { type Answer, addCommand, type OutputOptions, type Runner } from '../command.js'
import { catalogColumns, catalogJsonOf, mirrorUrlsOf } from '../models/catalog-table.js'
import type { ModelTools } from '../models/model-tools.js'
import { table } from '../table.js'

interface SearchOptions extends OutputOptions {
  language?: string
  kind?: CatalogKind
  license?: 'permissive'
}

const search = async (
  tools: Pick<ModelTools, 'readCatalog'>,
  text: string | undefined,
  { language, kind, license }: SearchOptions,
): Promise<Answer> => {
  const catalog = await tools.readCatalog()
  const found = searchCatalog(catalog.models, {
    language,
    kind,
    permissiveOnly: license === 'permissive',
  }).filter(({ name }) => text === undefined || name.toLowerCase().includes(text.toLowerCase()))
  return {
    json: {
      models: found.map((model) => ({ ...catalogJsonOf(model), mirror_urls: mirrorUrlsOf(model, catalog) })),
    },
    text: (width) => (found.length === 0 ? 'No model matches.' : table(catalogColumns, found, width)),
  }
}

export const addSearchCommand = (models: Command, { answerAlone }: Runner, tools: ModelTools): void => {
  addCommand(models, 'search', 'list the models that can be installed', [
    '--language en --kind tts --license permissive',
    'kokoro',
  ])
    .argument('[text]', 'a part of the name')
    .option('--language <tag>', 'those of a language, such as en or en-GB')
    .addOption(new Option('--kind <kind>', 'those of a kind').choices(catalogKinds))
    .addOption(new Option('--license <which>', 'those whose license is known to allow all use').choices(['permissive']))
    .action((text: string | undefined, options: SearchOptions) =>
      answerAlone(options, () => search(tools, text, options)),
    )
}
