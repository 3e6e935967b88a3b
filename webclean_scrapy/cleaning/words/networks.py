"""Patterns of social networks: what they are called, and the addresses of channels and buttons."""

#: Names in lower case: of those on which pages are shared, and of those that have channels.
SHARED_ON = r"facebook|linkedin|pinterest|reddit|telegram|twitter|whatsapp"
FOLLOWED_ON = r"facebook|instagram|linkedin|telegram|tiktok|twitter|whatsapp|youtube|\bx\b"
#: Hosts of channels that readers follow.
CHANNEL_HOSTS = (
    r"facebook\.com|instagram\.com|news\.google\.com|substack\.com|t\.me|telegram\.\w+|tiktok\.com"
    r"|twitter\.com|vk\.com|wa\.me|whatsapp\.com|x\.com|youtube\.com"
)
#: Addresses at which a page is shared, liked or followed.
SHARE_ADDRESSES = (
    r"facebook\.com/(?:sharer|share\.php|plugins/(?!post|video))|twitter\.com/widgets/\w+_button"
    r"|(?:twitter|//x)\.com/(?:intent|share|home\?)|widget\.weibo\.com|weibo\.com/share"
    r"|linkedin\.com/(?:sharing|shareArticle)|pinterest\.\w+/pin/create|reddit\.com/submit"
    r"|whatsapp\.com/send|//wa\.me/\?|//t\.me/share|plus\.google\.com/share|vk\.com/share"
    r"|tumblr\.com/(?:share|widgets/share)|digg\.com/submit|addtoany\.com|addthis\.com"
)
