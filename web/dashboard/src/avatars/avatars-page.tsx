import { Button, Card, Image, SimpleGrid, Text, Title } from '@mantine/core'
import { CircleUser } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Empty } from '../shared/empty.js'
import { SearchInput } from '../shared/filter-fields.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { formatBytes } from '../shared/quantities.js'
import { type Avatar, useAvatars } from './avatar-queries.js'

/** Loaded when it is opened, because the renderer is large. */
const AvatarPreview = lazy(async () => ({ default: (await import('./avatar-preview.js')).AvatarPreview }))

interface AvatarCardProps {
  readonly avatar: Avatar
  onOpen(): void
}

const AvatarCard = ({ avatar, onOpen }: AvatarCardProps) => (
  <Card withBorder padding="sm" component="li">
    <Card.Section>
      <Image src={avatar.thumbnail_url} alt="" h={180} fit="cover" loading="lazy" />
    </Card.Section>
    <Title order={2} size="h5" mt="sm" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{avatar.display_name}</bdi>
    </Title>
    <Text c="dimmed" mb="xs">
      {formatBytes(avatar.asset.size_bytes)} · {avatar.license}
    </Text>
    <Button
      // In line with those of cards whose names have more lines.
      mt="auto"
      size="compact-sm"
      variant="light"
      aria-label={`Preview ${avatar.display_name}`}
      onClick={onOpen}
    >
      Preview
    </Button>
  </Card>
)

const AvatarList = ({ avatars }: { readonly avatars: readonly Avatar[] }) => {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<Avatar>()
  const wanted = text.trim().toLowerCase()
  const matching = avatars.filter(({ display_name }) => display_name.toLowerCase().includes(wanted))
  return (
    <>
      <SearchInput label="Search for avatars" placeholder="Name" value={text} onChange={setText} />
      {matching.length === 0 ? (
        <Empty icon={CircleUser} title="No avatar matches" />
      ) : (
        <SimpleGrid component="ul" cols={{ base: 2, sm: 3, md: 4 }} spacing="md" m={0} p={0}>
          {matching.map((avatar) => (
            <AvatarCard key={avatar.id} avatar={avatar} onOpen={() => setOpened(avatar)} />
          ))}
        </SimpleGrid>
      )}
      {opened !== undefined && (
        <Suspense>
          <AvatarPreview avatar={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  )
}

export const AvatarsPage = () => (
  <Page title="Avatars" description="The faces that an Agent can have. A browser loads one when a conversation begins.">
    <Loaded query={useAvatars()} empty={<Empty icon={CircleUser} title="No avatar is installed" />}>
      {(avatars) => <AvatarList avatars={avatars} />}
    </Loaded>
  </Page>
)
