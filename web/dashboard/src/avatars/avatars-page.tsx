import { Card, Image, SimpleGrid, Text, Title } from '@mantine/core'
import { CircleUser } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { formatBytes } from '../shared/quantities.js'
import { type Avatar, useAvatars } from './avatar-queries.js'

const AvatarCard = ({ avatar }: { readonly avatar: Avatar }) => (
  <Card withBorder padding="sm" component="li">
    <Card.Section>
      <Image src={avatar.thumbnail_url} alt="" h={180} fit="cover" loading="lazy" />
    </Card.Section>
    <Title order={2} size="h5" mt="sm" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{avatar.display_name}</bdi>
    </Title>
    <Text size="sm" c="dimmed">
      {formatBytes(avatar.asset.size_bytes)} · {avatar.license}
    </Text>
  </Card>
)

export const AvatarsPage = () => {
  const query = useAvatars()
  return (
    <Page
      title="Avatars"
      description="The faces that an Agent can have. A browser loads one when a conversation begins."
    >
      <Loaded query={query}>
        {(avatars) =>
          avatars.length === 0 ? (
            <Empty icon={CircleUser} title="No avatar is installed" />
          ) : (
            <SimpleGrid component="ul" cols={{ base: 2, sm: 3, md: 4 }} spacing="md" m={0} p={0}>
              {avatars.map((avatar) => (
                <AvatarCard key={avatar.id} avatar={avatar} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Page>
  )
}
