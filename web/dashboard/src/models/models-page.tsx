import { Package } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { Section } from '../shared/section.js'
import { InstalledModels } from './installed-models.js'
import { ModelCatalog } from './model-catalog.js'
import { useInstallableModels, useInstalledModels } from './model-queries.js'

export const ModelsPage = () => {
  const installed = useInstalledModels()
  const installable = useInstallableModels()
  return (
    <Page
      title="Models"
      description="Voices and recognizers that run on this machine. A model can be used a few seconds after it is installed."
    >
      <Loaded query={installed}>
        {({ is_managed, models }) =>
          is_managed ? (
            <>
              {models.length === 0 ? (
                <Empty icon={Package} title="No model is installed">
                  Choose one below.
                </Empty>
              ) : (
                <InstalledModels models={models} />
              )}
              <Section title="Catalog">
                <Loaded query={installable}>
                  {(catalog) => (
                    <ModelCatalog
                      models={catalog.models}
                      recommended={new Set(Object.values(catalog.recommended).filter((name) => name !== null))}
                      installed={new Set(models.map(({ name }) => name))}
                    />
                  )}
                </Loaded>
              </Section>
            </>
          ) : (
            <Empty icon={Package} title="Models are not managed here">
              Run npx parlance models install on the machines of the workers. Their voices are on the page Voices.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}
