# One image for every process of the gateway; docker-compose.yml says which one runs.
FROM node:22-bookworm-slim AS build
WORKDIR /gateway
COPY package.json package-lock.json ./
COPY lab/package.json lab/
RUN npm ci --no-audit --no-fund
COPY . .
# Only what the processes load at run time goes on into the image.
RUN node tools/build.mjs && npm run docs:site -- --for operators && node tools/image.mjs /image

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /gateway
COPY --from=build /image ./
COPY ops/image/gateway ops/image/healthy /usr/local/bin/
# For the volumes of a sandbox: whatever user the containers run as may write there.
RUN install --directory --mode 1777 /state
USER node
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
