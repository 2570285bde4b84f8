# One image for every process of the gateway; docker-compose.yml says which one runs.
FROM node:22-bookworm-slim AS build
WORKDIR /gateway
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node dev/build.mjs && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /gateway
COPY --from=build --chown=root:root /gateway/node_modules ./node_modules
COPY --from=build --chown=root:root /gateway/dist ./dist
COPY --from=build --chown=root:root /gateway/prisma ./prisma
COPY --from=build --chown=root:root /gateway/package.json ./
USER node
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
