# Two stages: what it takes to build, and what it takes to run.
FROM node:20-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT ?? 3000}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# DATABASE_URL and SECRET_KEY are required: docs/operating.md.
CMD ["node", "dist/main.js"]
