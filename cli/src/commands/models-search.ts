import { type CatalogueKind, catalogueKinds, searchCatalogue } from '@parlance/models/install'
import { type Command, Option } from 'commander'
import { type Answer, addCommand, type OutputOptions, type Runner } from '../command.js'
import { catalogueColumns, catalogueJsonOf, mirrorUrlsOf } from '../models/catalogue-table.js'
import type { ModelTools } from '../models/model-tools.js'
import { table } from '../table.js'

interface SearchOptions extends OutputOptions {
  language?: string
  kind?: CatalogueKind
  license?: 'permissive'
}

const search = async (
  tools: Pick<ModelTools, 'readCatalogue'>,
  text: string | undefined,
  { language, kind, license }: SearchOptions,
): Promise<Answer> => {
  const catalogue = await tools.readCatalogue()
  const found = searchCatalogue(catalogue.models, {
    language,
    kind,
    permissiveOnly: license === 'permissive',
  }).filter(({ name }) => text === undefined || name.toLowerCase().includes(text.toLowerCase()))
  return {
    json: {
      models: found.map((model) => ({ ...catalogueJsonOf(model), mirror_urls: mirrorUrlsOf(model, catalogue) })),
    },
    text: (width) => (found.length === 0 ? 'No model matches.' : table(catalogueColumns, found, width)),
  }
}

export const addSearchCommand = (models: Command, { answerAlone }: Runner, tools: ModelTools): void => {
  addCommand(models, 'search', 'list the models that can be installed', [
    '--language en --kind tts --license permissive',
    'kokoro',
  ])
    .argument('[text]', 'a part of the name')
    .option('--language <tag>', 'those of a language, such as en or en-GB')
    .addOption(new Option('--kind <kind>', 'those of a kind').choices(catalogueKinds))
    .addOption(new Option('--license <which>', 'those whose licence is known to allow all use').choices(['permissive']))
    .action((text: string | undefined, options: SearchOptions) =>
      answerAlone(options, () => search(tools, text, options)),
    )
}
